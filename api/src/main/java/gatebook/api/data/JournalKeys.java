package gatebook.api.data;

import gatebook.events.journal.JournalAccess;
import gatebook.events.journal.postgres.SharedLocation;
import gatebook.events.keys.store.ContentKeyStore;
import gatebook.events.keys.store.FileKeyStore;
import gatebook.events.keys.store.RecordedKeys;
import gatebook.events.keys.store.TableKeyStore;
import gatebook.events.keys.store.WrappingKey;
import java.util.Map;
import java.util.Optional;

/** Opens the content keys of a journal: files in the data directory, or tables of its database. */
public final class JournalKeys {

  /** The variable of the environment that may have the wrapping key. */
  public static final String WRAPPING_KEY = "GATEBOOK_WRAPPING_KEY";

  private JournalKeys() {}

  /**
   * Opens the store of the journal in this place, which is open.
   *
   * @param environment may hold the wrapping key
   */
  public static ContentKeyStore.Opening open(
      JournalPlace place, JournalAccess journal, Map<String, String> environment) {
    return open(place, RecordedKeys.of(journal), environment);
  }

  /** Opens the store while the journal is not open, so that neither is compared with the other. */
  public static ContentKeyStore.Opening openAlone(
      JournalPlace place, Map<String, String> environment) {
    return open(place, RecordedKeys.none(), environment);
  }

  private static ContentKeyStore.Opening open(
      JournalPlace place, RecordedKeys recorded, Map<String, String> environment) {
    String given = environment.get(WRAPPING_KEY);
    if (given == null) {
      return open(place, recorded, environment, Optional.empty());
    }
    return switch (SecretFile.decoded(WRAPPING_KEY, given, WrappingKey.BYTES)) {
      case SecretFile.Opening.Refused(var sentence) ->
          new ContentKeyStore.Opening.Refused(sentence);
      case SecretFile.Opening.Opened(var key) ->
          open(place, recorded, environment, Optional.of(new WrappingKey(key)));
    };
  }

  private static ContentKeyStore.Opening open(
      JournalPlace place,
      RecordedKeys recorded,
      Map<String, String> environment,
      Optional<WrappingKey> wrappingKey) {
    Optional<SharedLocation> shared = place.sharedLocation(environment);
    return shared.isPresent()
        ? TableKeyStore.open(shared.get(), place.keys(), wrappingKey, recorded)
        : FileKeyStore.open(place.keys(), wrappingKey, recorded);
  }
}
