package gatebook.api.cli;

import gatebook.api.data.DataDirectory;
import gatebook.api.data.JournalPlace;
import gatebook.api.data.JournalSection;
import gatebook.api.data.OperatorToken;
import gatebook.api.operator.OperatorAudit;
import gatebook.api.operator.TokenMethods;
import gatebook.events.OperatorActed;
import gatebook.events.journal.Journal;
import gatebook.events.journal.JournalSettings;
import gatebook.events.journal.checkpoint.CheckpointKey;
import gatebook.events.journal.checkpoint.LoadedKey;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/** Another token for a data directory that no server has; recorded before it is made. */
record TokenRotation(JournalPlace place, Map<String, String> environment, String operator) {

  /** What a rotation ends in. */
  sealed interface Outcome {
    record Done(Path file) implements Outcome {}

    record NotDone(String sentence) implements Outcome {}
  }

  Outcome of(DataDirectory directory) {
    Optional<String> obstacle = record();
    if (obstacle.isPresent()) {
      return new Outcome.NotDone(
          "the token was not changed, since that cannot be recorded: " + obstacle.get());
    }
    try {
      OperatorToken token = directory.operatorToken();
      token.rotate();
      return new Outcome.Done(token.file().toAbsolutePath());
    } catch (IOException _) {
      return new Outcome.NotDone(
          "cannot write operator.token in %s: see to its permissions".formatted(directory.path()));
    }
  }

  /** Empty when it is in the journal. A journal that never was is not made here. */
  private Optional<String> record() {
    JournalSettings settings = place.settings(JournalSection.DEFAULT, environment);
    return switch (CheckpointKey.existing(settings.keyFile())) {
      case LoadedKey.Refused<CheckpointKey>(var why) -> Optional.of(why);
      case LoadedKey.Key<CheckpointKey> _ ->
          switch (Journal.open(settings)) {
            case Journal.Opening.Refused(var sentence) -> Optional.of(sentence);
            case Journal.Opening.Opened(var journal) -> record(journal);
          };
    };
  }

  private Optional<String> record(Journal opened) {
    try (Journal journal = opened) {
      OperatorActed acted = new OperatorActed(operator, TokenMethods.ROTATE, null, null, true);
      return switch (new OperatorAudit(journal, InstantSource.system()).record(acted)) {
        case OperatorAudit.Recording.Recorded _ -> Optional.empty();
        case OperatorAudit.Recording.NotRecorded(var reason) -> Optional.of(reason);
      };
    }
  }
}
