package gatebook.api.cli;

import gatebook.api.data.JournalKeys;
import gatebook.api.data.JournalPlace;
import gatebook.api.data.JournalSection;
import gatebook.events.journal.Journal;
import gatebook.events.journal.checkpoint.CheckpointKey;
import gatebook.events.journal.checkpoint.LoadedKey;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.journal.storage.OpenRefusal;
import gatebook.events.journal.storage.RestoredMark;
import gatebook.events.keys.store.ContentKeyStore;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Opens the journal of a data directory that no server owns, and its content keys. */
public final class StoppedKeys {

  private StoppedKeys() {}

  /** Opens both, uses them and closes them. A journal that does not exist is not created. */
  public static <T> T use(
      JournalPlace place,
      Map<String, String> environment,
      Function<String, ? extends T> notOpened,
      BiFunction<Journal, ContentKeyStore, ? extends T> use) {
    return use(place, environment, notOpened, _ -> Optional.empty(), use);
  }

  /**
   * Opens both, uses them and closes them.
   *
   * @param notOpened gets a sentence that says why not
   * @param refusal says of the journal why the keys are not to be opened
   */
  public static <T> T use(
      JournalPlace place,
      Map<String, String> environment,
      Function<String, ? extends T> notOpened,
      Function<Journal, Optional<String>> refusal,
      BiFunction<Journal, ContentKeyStore, ? extends T> use) {
    JournalSettings settings = place.settings(JournalSection.DEFAULT, environment);
    Optional<String> missing = missing(settings);
    if (missing.isPresent()) {
      return notOpened.apply(missing.get());
    }
    return switch (Journal.open(settings)) {
      case Journal.OpenResult.Refused(var sentence) -> notOpened.apply(sentence);
      case Journal.OpenResult.Opened(var opened) -> {
        try (Journal journal = opened) {
          Optional<String> refused = refusal.apply(journal);
          yield refused.isPresent()
              ? notOpened.apply(refused.get())
              : use(place, environment, notOpened, journal, use);
        }
      }
    };
  }

  /** A journal that is opened without its key gets a new one, unless it was restored. */
  private static Optional<String> missing(JournalSettings settings) {
    try {
      return CheckpointKey.loadExisting(settings.keyFile())
                  instanceof LoadedKey.Refused<CheckpointKey>(var why)
              && RestoredMark.of(settings).isEmpty()
          ? Optional.of(why)
          : Optional.empty();
    } catch (OpenRefusal e) {
      return Optional.of(e.sentence());
    }
  }

  private static <T> T use(
      JournalPlace place,
      Map<String, String> environment,
      Function<String, ? extends T> notOpened,
      Journal journal,
      BiFunction<Journal, ContentKeyStore, ? extends T> use) {
    return switch (JournalKeys.open(place, journal, environment)) {
      case ContentKeyStore.Opening.Refused(var sentence) -> notOpened.apply(sentence);
      case ContentKeyStore.Opening.Opened(var opened, _) -> {
        try (ContentKeyStore contentKeys = opened) {
          yield use.apply(journal, contentKeys);
        }
      }
    };
  }
}
