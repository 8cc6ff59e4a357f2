package gatebook.api.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.cli.text.TextCells;
import gatebook.events.journal.checkpoint.Checkpoint;
import gatebook.events.journal.checkpoint.ConsistencyFile;
import gatebook.events.journal.checkpoint.OpenedNote;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.tree.ConsistencyProof;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * The check of a consistency proof by the command {@code gatebook verify}, with nothing but its
 * file and the verifier key that is trusted.
 */
final class ConsistencyCheck {
  private static final JsonMapper JSON = new JsonMapper();

  private ConsistencyCheck() {}

  /** The verdict on a file. */
  sealed interface Verdict {
    record Accepted(ObjectNode document) implements Verdict {}

    record Refused(String sentence) implements Verdict {}
  }

  static Verdict check(byte[] bytes, VerifierKey key) {
    Optional<ConsistencyFile> read = ConsistencyFile.read(bytes);
    if (read.isEmpty()) {
      return refused("it is not in the form of a consistency proof");
    }
    ConsistencyFile file = read.get();
    return switch (Checkpoint.open(file.newer().getBytes(UTF_8), List.of(key))) {
      case OpenedNote.Valid<Checkpoint>(var newer, var by) -> check(file, newer, by);
      case OpenedNote.UnknownKey<Checkpoint>(var labels) ->
          refused(
              "the newer checkpoint is signed by %s and not by the given key"
                  .formatted(String.join(", ", labels)));
      case OpenedNote.WrongSignature<Checkpoint> _ ->
          refused("the newer checkpoint was changed: its signature is wrong");
      case OpenedNote.NotInForce<Checkpoint> _, OpenedNote.Malformed<Checkpoint> _ ->
          refused("the newer checkpoint is none");
    };
  }

  /** The key of the newer checkpoint vouches for the older one, which may have another key. */
  private static Verdict check(ConsistencyFile file, Checkpoint newer, VerifierKey by) {
    OpenedNote<Checkpoint> older = Checkpoint.open(file.older().getBytes(UTF_8), List.of(by));
    if (older instanceof OpenedNote.WrongSignature<Checkpoint>) {
      return refused("the older checkpoint was changed: its signature is wrong");
    }
    Optional<Checkpoint> from = Checkpoint.ofNote(file.older());
    if (older instanceof OpenedNote.Malformed<Checkpoint> || from.isEmpty()) {
      return refused("the older checkpoint is none");
    }
    if (!from.get().origin().equals(newer.origin()) || !newer.origin().equals(by.name())) {
      return refused("the checkpoints are not of one log");
    }
    ConsistencyProof proof = new ConsistencyProof(from.get().size(), newer.size(), file.hashes());
    return proof.proves(from.get().root(), newer.root())
        ? new Verdict.Accepted(
            document(from.get(), newer, by, older instanceof OpenedNote.Valid<Checkpoint>))
        : refused("the newer checkpoint does not go on from the older one");
  }

  private static Verdict refused(String sentence) {
    return new Verdict.Refused("the consistency proof is refused: " + sentence);
  }

  private static ObjectNode document(
      Checkpoint from, Checkpoint to, VerifierKey by, boolean isSignedByKey) {
    ObjectNode document = JSON.createObjectNode();
    document.put("accepted", true);
    document.put("origin", to.origin());
    document.put("key", by.label());
    put(document.putObject("from"), from).put("signedByKey", isSignedByKey);
    put(document.putObject("to"), to);
    return document;
  }

  private static ObjectNode put(ObjectNode into, Checkpoint checkpoint) {
    return into.put("size", checkpoint.size())
        .put("root", Base64.getEncoder().encodeToString(checkpoint.root()));
  }

  static List<String> lines(JsonNode document) {
    JsonNode from = document.path("from");
    return List.of(
        "accepted   the first %s events of %s are those of the older checkpoint"
            .formatted(TextCells.of(from, "size"), TextCells.of(document, "origin")),
        line("older", from)
            + (from.path("signedByKey").asBoolean() ? "" : ", whose signature was not checked"),
        line("newer", document.path("to")) + ", signed by " + TextCells.of(document, "key"),
        "Compare the older one with the one that you kept.");
  }

  private static String line(String which, JsonNode checkpoint) {
    return "%s      over %s events with the root %s"
        .formatted(which, TextCells.of(checkpoint, "size"), TextCells.of(checkpoint, "root"));
  }
}
