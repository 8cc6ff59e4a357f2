package gatebook.api.cli.backup;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import gatebook.command.redact.Scrubber;
import gatebook.events.Event;
import gatebook.events.OperatorActed;
import gatebook.events.OriginBegun;
import gatebook.events.call.Bytes;
import gatebook.events.call.JsonValue;
import gatebook.events.journal.RestoreContinuation;
import gatebook.events.journal.checkpoint.Checkpoint;
import gatebook.events.journal.checkpoint.CheckpointKey;
import gatebook.events.journal.checkpoint.LoadedKey;
import gatebook.events.journal.checkpoint.OpenedNote;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.storage.CheckpointFile;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.journal.storage.OpenRefusal;
import gatebook.events.journal.storage.RestoredMark;
import gatebook.events.vocabulary.EventVocabulary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The continuation of a restored journal, in a data directory that this process owns.
 *
 * @param against the newest checkpoint of the journal, kept elsewhere
 */
record Continuation(
    JournalSettings settings, EventVocabulary eventVocabulary, Optional<Path> against) {

  private static final String NOTHING_WAITS = "there is no restored journal that waits to go on";

  /** The result. */
  sealed interface Outcome {
    /**
     * The journal takes appends.
     *
     * @param position of the newest event
     */
    record Continues(long position, String origin) implements Outcome {}

    record NotDone(String sentence) implements Outcome {}
  }

  Outcome run(String operator, String reason) {
    Optional<RestoredMark> mark;
    try {
      mark = RestoredMark.of(settings);
    } catch (OpenRefusal e) {
      return new Outcome.NotDone(e.sentence());
    }
    if (mark.isEmpty()) {
      return afterRollback(operator, Scrubber.NAMES.scrub(reason));
    }
    if (!mark.get().isWhole()) {
      return new Outcome.NotDone("the restore was not finished: run gatebook restore again");
    }
    return switch (CheckpointKey.loadExisting(settings.keyFile())) {
      case LoadedKey.Refused<CheckpointKey>(var why) ->
          new Outcome.NotDone(why + " (put it back from its copy: a backup has no private key)");
      case LoadedKey.Key<CheckpointKey>(var key) ->
          otherKey(mark.get(), key.verifier())
              .<Outcome>map(Outcome.NotDone::new)
              .orElseGet(
                  () -> run(mark.get(), key.verifier(), operator, Scrubber.NAMES.scrub(reason)));
    };
  }

  /** What follows a rollback has a new origin: under the old one something else was signed. */
  private Outcome afterRollback(String operator, String reason) {
    if (!(CheckpointKey.loadExisting(settings.keyFile())
        instanceof LoadedKey.Key<CheckpointKey>(var key))) {
      return new Outcome.NotDone(NOTHING_WAITS);
    }
    try {
      Optional<RestoredMark> mark = RestoreContinuation.rolledBack(settings);
      if (mark.isEmpty()) {
        return new Outcome.NotDone(NOTHING_WAITS);
      }
      return against.isPresent()
          ? new Outcome.NotDone(
              "a journal that was rolled back goes on under a new origin only: leave out --against")
          : run(mark.get(), key.verifier(), operator, reason);
    } catch (OpenRefusal e) {
      return new Outcome.NotDone(e.sentence());
    }
  }

  /** The key may have been replaced after what was restored. */
  private static Optional<String> otherKey(RestoredMark mark, VerifierKey key) {
    return VerifierKey.parse(mark.key()) instanceof LoadedKey.Key<VerifierKey>(var signer)
            && !signer.isSameKey(key)
        ? Optional.of(
            "the restored events are signed by %s, and checkpoint.key is %s: put the file of the first one in its place; without a copy of it, accept the journal under the other key with gatebook verify --accept REASON"
                .formatted(signer.label(), key.label()))
        : Optional.empty();
  }

  private Outcome run(RestoredMark mark, VerifierKey key, String operator, String reason) {
    if (against.isPresent()) {
      Optional<String> difference = difference(mark, key, against.get());
      return difference.isPresent()
          ? new Outcome.NotDone(difference.get())
          : run(mark, acted(operator, reason), Optional.empty());
    }
    OriginBegun begun =
        new OriginBegun(
            operator,
            reason,
            mark.origin(),
            CheckpointKey.newName(),
            mark.size(),
            new Bytes(mark.root()),
            newestCheckpoint());
    return run(mark, begun, Optional.of(begun.newOrigin()));
  }

  private static OperatorActed acted(String operator, String reason) {
    String params = JsonNodeFactory.instance.objectNode().put("continue", reason).toString();
    return new OperatorActed(operator, "restore", JsonValue.parse(params), null, true);
  }

  private Outcome run(RestoredMark mark, Event event, Optional<String> newOrigin) {
    return switch (RestoreContinuation.of(
        settings, mark, List.of(eventVocabulary.draft(event, Instant.now())), newOrigin)) {
      case RestoreContinuation.Outcome.Refused(var sentence) -> new Outcome.NotDone(sentence);
      case RestoreContinuation.Outcome.Continues(var position, var origin) ->
          new Outcome.Continues(position, origin);
    };
  }

  private @Nullable String newestCheckpoint() {
    byte[] note = new CheckpointFile(settings.checkpointFile()).read();
    return note == null ? null : new String(note, UTF_8);
  }

  /** Why the restored events are not exactly those that a checkpoint signs; empty when they are. */
  private static Optional<String> difference(RestoredMark mark, VerifierKey key, Path file) {
    byte[] note;
    try {
      note = Files.readAllBytes(file);
    } catch (IOException _) {
      return Optional.of("cannot read the checkpoint %s".formatted(file));
    }
    if (!(Checkpoint.open(note, List.of(key))
        instanceof OpenedNote.Valid<Checkpoint>(Checkpoint checkpoint, VerifierKey by))) {
      return Optional.of("%s is no checkpoint that %s signed".formatted(file, key.label()));
    }
    if (!checkpoint.origin().equals(by.name()) || !checkpoint.origin().equals(mark.origin())) {
      return Optional.of(
          "the checkpoint %s is of the log %s, and the restored events are of %s"
              .formatted(file, checkpoint.origin(), mark.origin()));
    }
    if (checkpoint.size() != mark.size()) {
      return Optional.of(
          "the checkpoint %s is over %d events, and %d were restored: only without --against can the journal go on, under a new origin"
              .formatted(file, checkpoint.size(), mark.size()));
    }
    return Base64.getEncoder().encodeToString(checkpoint.root()).equals(mark.root())
        ? Optional.empty()
        : Optional.of(
            "the checkpoint %s signs other events than were restored: one is a fork of the other"
                .formatted(file));
  }
}
