package gatebook.api.cli;

import gatebook.api.cli.option.VerifierKeyOption;
import gatebook.api.data.JournalPlace;
import gatebook.api.data.JournalSection;
import gatebook.events.journal.checkpoint.CheckpointKey;
import gatebook.events.journal.checkpoint.LoadedKey;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.storage.OpenRefusal;
import gatebook.events.journal.storage.RestoredMark;
import java.nio.file.Files;
import java.util.Map;
import java.util.Optional;

/** The key that a command trusts when it reads a journal without its server. */
final class TrustedKey {
  private TrustedKey() {}

  /**
   * The key of the option, or else that of the journal.
   *
   * @param missingKeyHint what to do when there is none
   */
  static LoadedKey<VerifierKey> of(
      VerifierKeyOption keyOption,
      JournalPlace place,
      Map<String, String> environment,
      String missingKeyHint) {
    return keyOption.key().orElseGet(() -> ownKey(place, environment, missingKeyHint));
  }

  private static LoadedKey<VerifierKey> ownKey(
      JournalPlace place, Map<String, String> environment, String missingKeyHint) {
    return switch (CheckpointKey.loadExisting(place.keyFile())) {
      case LoadedKey.Refused<CheckpointKey>(var why) ->
          restoredKey(place, environment)
              .orElseGet(() -> new LoadedKey.Refused<>(why + missingKeyHint));
      case LoadedKey.Key<CheckpointKey>(var key) -> new LoadedKey.Key<>(key.verifier());
    };
  }

  /** A restored journal names the key that signed it, until its own key is put back. */
  private static Optional<LoadedKey<VerifierKey>> restoredKey(
      JournalPlace place, Map<String, String> environment) {
    if (Files.exists(place.keyFile())) {
      return Optional.empty();
    }
    try {
      return RestoredMark.of(place.settings(JournalSection.DEFAULT, environment))
          .map(mark -> VerifierKey.parse(mark.key()));
    } catch (OpenRefusal e) {
      return Optional.of(new LoadedKey.Refused<>(e.sentence()));
    }
  }
}
