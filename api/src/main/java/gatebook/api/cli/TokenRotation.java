package gatebook.api.cli;

import gatebook.api.data.DataDirectory;
import gatebook.api.data.JournalPlace;
import gatebook.api.data.JournalSection;
import gatebook.api.data.OperatorToken;
import gatebook.api.operator.methods.TokenMethods;
import gatebook.api.operator.rpc.OperatorAudit;
import gatebook.events.OperatorActed;
import gatebook.events.journal.Journal;
import gatebook.events.journal.checkpoint.CheckpointKey;
import gatebook.events.journal.checkpoint.LoadedKey;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.vocabulary.EventVocabulary;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/**
 * Rotates the operator token of a data directory that no server owns; recorded before the token
 * changes.
 */
record TokenRotation(JournalPlace place, Map<String, String> environment, String operator) {

  /** The outcome of a rotation. */
  sealed interface Outcome {
    record Done(Path file) implements Outcome {}

    record NotDone(String sentence) implements Outcome {}
  }

  Outcome rotate(DataDirectory directory) {
    Optional<String> obstacle = record();
    if (obstacle.isPresent()) {
      return new Outcome.NotDone(
          "the token was not changed, because the change cannot be recorded: " + obstacle.get());
    }
    try {
      OperatorToken token = directory.operatorToken();
      token.rotate();
      return new Outcome.Done(token.file().toAbsolutePath());
    } catch (IOException _) {
      return new Outcome.NotDone(
          "cannot write operator.token in %s: check its permissions".formatted(directory.path()));
    }
  }

  /**
   * Empty when the rotation is recorded in the journal. A journal that does not exist is not
   * created.
   */
  private Optional<String> record() {
    JournalSettings settings = place.settings(JournalSection.DEFAULT, environment);
    return switch (CheckpointKey.loadExisting(settings.keyFile())) {
      case LoadedKey.Refused<CheckpointKey>(var why) -> Optional.of(why);
      case LoadedKey.Key<CheckpointKey> _ ->
          switch (Journal.open(settings)) {
            case Journal.OpenResult.Refused(var sentence) -> Optional.of(sentence);
            case Journal.OpenResult.Opened(var journal) -> record(journal);
          };
    };
  }

  private Optional<String> record(Journal opened) {
    try (Journal journal = opened) {
      OperatorActed acted = new OperatorActed(operator, TokenMethods.ROTATE, null, null, true);
      return switch (new OperatorAudit(journal, new EventVocabulary(), InstantSource.system())
          .record(acted)) {
        case OperatorAudit.Recording.Recorded _ -> Optional.empty();
        case OperatorAudit.Recording.NotRecorded(var reason) -> Optional.of(reason);
      };
    }
  }
}
