package gatebook.api.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.cli.option.DatabaseOption;
import gatebook.api.cli.option.JsonOption;
import gatebook.api.cli.option.VerifierKeyOption;
import gatebook.api.cli.text.TextCells;
import gatebook.api.data.JournalPlace;
import gatebook.api.data.JournalSection;
import gatebook.api.operator.client.OperatorClient;
import gatebook.api.operator.methods.ConsistencyMethod;
import gatebook.events.journal.StoredJournal;
import gatebook.events.journal.anchor.AnchoredNotes;
import gatebook.events.journal.checkpoint.LoadedKey;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.storage.JournalUnreadable;
import gatebook.query.proof.CheckpointConsistency;
import gatebook.query.proof.ConsistencyResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * The command {@code gatebook prove --from}: calls the server that holds the journal, or reads the
 * journal when none does.
 */
record ConsistencyProving(
    CommandSpec spec,
    ServerOptions server,
    DatabaseOption databaseOption,
    VerifierKeyOption keyOption,
    JsonOption jsonOption,
    Map<String, String> environment) {
  private static final Pattern SIZE = Pattern.compile("0|[1-9][0-9]{0,17}");
  private static final JsonMapper JSON = new JsonMapper();

  /** Writes the file of a proof, and shows the result. */
  @FunctionalInterface
  interface Output {
    int write(
        byte[] file,
        ObjectNode result,
        ServerQuery serverQuery,
        Function<JsonNode, List<String>> lines);
  }

  /**
   * Proves, and returns the exit code.
   *
   * @param from a file or an anchor, or a number of events
   */
  int run(String from, Optional<Path> to, Output output) throws InterruptedException {
    Optional<String> newer = to.map(this::note);
    boolean isSize = SIZE.matcher(from).matches() && Files.notExists(Path.of(from));
    ServerQuery serverQuery = new ServerQuery(spec, server, jsonOption);
    Optional<ServerOptions.ClientLookup> owner =
        databaseOption.url().isPresent() ? Optional.empty() : server.journalOwner();
    if (owner.isPresent() && keyOption.isGiven()) {
      throw new ParameterException(
          spec.commandLine(), "the server trusts its own key: leave out --key");
    }
    OperatorClient.Answer answer =
        owner.isPresent()
            ? atServer(owner.get(), params(from, isSize, newer))
            : directly(from, isSize, newer);
    return switch (answer) {
      case OperatorClient.Answer.Failed(var sentence) -> serverQuery.failed(sentence);
      case OperatorClient.Answer.Result(var proven) -> {
        ObjectNode result = proven.deepCopy();
        byte[] file = result.remove("file").asText().getBytes(UTF_8);
        yield output.write(file, result, serverQuery, ConsistencyProving::lines);
      }
    };
  }

  private String note(Path file) {
    try {
      return new String(AnchoredNotes.newest(file), UTF_8);
    } catch (IOException _) {
      throw new ParameterException(spec.commandLine(), "cannot read the checkpoint " + file);
    }
  }

  private ObjectNode params(String from, boolean isSize, Optional<String> newer) {
    ObjectNode params = ServerQuery.params();
    newer.ifPresent(it -> params.put("to", it));
    return isSize
        ? params.put("fromSize", Long.parseLong(from))
        : params.put("from", note(Path.of(from)));
  }

  private static OperatorClient.Answer atServer(
      ServerOptions.ClientLookup lookup, ObjectNode params) throws InterruptedException {
    return switch (lookup) {
      case ServerOptions.ClientLookup.Unavailable(var sentence, _) ->
          new OperatorClient.Answer.Failed(sentence);
      case ServerOptions.ClientLookup.Client(var client) ->
          client.call(ConsistencyMethod.NAME, params);
    };
  }

  private OperatorClient.Answer directly(String from, boolean isSize, Optional<String> newer) {
    JournalPlace place = new JournalPlace(server.directory(), databaseOption.url());
    place
        .refusal()
        .ifPresent(sentence -> {
          throw new ParameterException(spec.commandLine(), sentence);
        });
    return switch (keyOption.key(place, environment, VerifierKeyOption.NAME_ONE)) {
      case LoadedKey.Refused<VerifierKey>(var why) -> new OperatorClient.Answer.Failed(why);
      case LoadedKey.Key<VerifierKey>(var key) -> directly(place, key, from, isSize, newer);
    };
  }

  private OperatorClient.Answer directly(
      JournalPlace place, VerifierKey key, String from, boolean isSize, Optional<String> newer) {
    return switch (StoredJournal.open(place.settings(JournalSection.DEFAULT, environment))) {
      case StoredJournal.Opening.Refused(var sentence) ->
          new OperatorClient.Answer.Failed(sentence);
      case StoredJournal.Opening.Opened(var opened) -> {
        try (StoredJournal journal = opened) {
          CheckpointConsistency consistency = new CheckpointConsistency(journal, key);
          yield answer(
              isSize
                  ? consistency.prove(Long.parseLong(from), newer)
                  : consistency.prove(note(Path.of(from)), newer));
        } catch (JournalUnreadable _) {
          yield new OperatorClient.Answer.Failed("the journal cannot be read: verify says why");
        }
      }
    };
  }

  private static OperatorClient.Answer answer(ConsistencyResult result) {
    return switch (result) {
      case ConsistencyResult.NotProven(var sentence) -> new OperatorClient.Answer.Failed(sentence);
      case ConsistencyResult.Proven proven ->
          new OperatorClient.Answer.Result(JSON.valueToTree(ConsistencyMethod.json(proven)));
    };
  }

  private static List<String> lines(JsonNode result) {
    return List.of(
        "proof      %s: the log %s goes on from %s to %s events"
            .formatted(
                TextCells.of(result, "output"),
                TextCells.of(result, "origin"),
                TextCells.of(result, "from"),
                TextCells.of(result, "to")));
  }
}
