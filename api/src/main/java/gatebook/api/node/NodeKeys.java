package gatebook.api.node;

import gatebook.api.data.JournalPlace;
import gatebook.api.data.SecretFile;
import gatebook.events.journal.JournalAccess;
import gatebook.events.journal.postgres.SharedLocation;
import gatebook.events.keys.KeyLookup;
import gatebook.events.keys.OldKeys;
import gatebook.events.keys.store.ContentKeyStore;
import gatebook.events.keys.store.FileKeyStore;
import gatebook.events.keys.store.RecordedKeys;
import gatebook.events.keys.store.TableKeyStore;
import gatebook.events.keys.store.WrappingKey;
import gatebook.events.vocabulary.EventVocabulary;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the node's keys for digesting and sealing payloads: from the environment, where several
 * nodes share them, else from files that are created at the first start.
 */
final class NodeKeys {

  private static final int KEY_BYTES = 32;

  /** The variable of the key that wraps the content keys. */
  static final String WRAPPING_KEY = "GATEBOOK_WRAPPING_KEY";

  private NodeKeys() {}

  /** The result of reading the keys of before content keys. */
  sealed interface Opening {
    record Opened(OldKeys oldKeys) implements Opening {}

    record Refused(String sentence) implements Opening {}
  }

  /** Reads the keys that nodes had before content keys; a node that is newer has none. */
  static Opening openOld(Path directory, Map<String, String> environment) {
    return switch (oldKey("GATEBOOK_DIGEST_KEY", directory.resolve("digest.key"), environment)) {
      case OldKey.Refused(var sentence) -> new Opening.Refused(sentence);
      case OldKey.Read(var digest) ->
          switch (oldKey("GATEBOOK_SEAL_KEY", directory.resolve("seal.key"), environment)) {
            case OldKey.Refused(var sentence) -> new Opening.Refused(sentence);
            case OldKey.Read(var seal) -> new Opening.Opened(new OldKeys(seal, digest));
          };
    };
  }

  private sealed interface OldKey {
    @SuppressWarnings("ArrayRecordComponent") // handed on at once and never compared
    record Read(byte @Nullable [] key) implements OldKey {}

    record Refused(String sentence) implements OldKey {}
  }

  /**
   * The open store of content keys.
   *
   * @param oldKeys those of before content keys
   * @param missing the keys of the newest events that are missing, and were not erased
   */
  record Store(ContentKeyStore contentKeys, OldKeys oldKeys, List<String> missing) {

    EventVocabulary vocabulary() {
      return new EventVocabulary(contentKeys, oldKeys);
    }

    /** The same store; keys that were erased since it was opened are not missing. */
    Store withoutErased() {
      return new Store(
          contentKeys,
          oldKeys,
          missing.stream()
              .filter(id -> contentKeys.find(id) instanceof KeyLookup.Missing)
              .toList());
    }
  }

  /** Opens the store of content keys of the journal in this place. */
  static ContentKeyStore.Opening openStore(
      JournalPlace place, JournalAccess journal, Map<String, String> environment) {
    String given = environment.get(WRAPPING_KEY);
    Optional<WrappingKey> wrappingKey = Optional.empty();
    if (given != null) {
      switch (decoded(WRAPPING_KEY, given)) {
        case SecretFile.Opening.Refused(var sentence) -> {
          return new ContentKeyStore.Opening.Refused(sentence);
        }
        case SecretFile.Opening.Opened(var key) -> wrappingKey = Optional.of(new WrappingKey(key));
      }
    }
    RecordedKeys recorded = RecordedKeys.of(journal);
    Optional<SharedLocation> shared = place.sharedLocation(environment);
    return shared.isPresent()
        ? TableKeyStore.open(shared.get(), place.keys(), wrappingKey, recorded)
        : FileKeyStore.open(place.keys(), wrappingKey, recorded);
  }

  /** What may still hold keys that this node destroyed, in sentences for operators. */
  static List<String> mayStillHold(boolean isShared, Map<String, String> environment) {
    List<String> places = new ArrayList<>();
    places.add("backups of the content keys that were written before");
    if (isShared) {
      places.add("backups of the database, until the file of the wrapping key is replaced");
    }
    if (environment.containsKey(WRAPPING_KEY)) {
      places.add(
          "copies of the store of keys, which open with the wrapping key in "
              + WRAPPING_KEY
              + " as long as that is the same");
    }
    return List.copyOf(places);
  }

  private static OldKey oldKey(String variable, Path file, Map<String, String> environment) {
    String given = environment.get(variable);
    if (given == null && !Files.exists(file)) {
      return new OldKey.Read(null);
    }
    SecretFile.Opening opening =
        given == null ? SecretFile.open(file, KEY_BYTES) : decoded(variable, given);
    return switch (opening) {
      case SecretFile.Opening.Opened(var key) -> new OldKey.Read(key);
      case SecretFile.Opening.Refused(var sentence) -> new OldKey.Refused(sentence);
    };
  }

  private static SecretFile.Opening decoded(String variable, String base64) {
    try {
      byte[] key = Base64.getDecoder().decode(base64.strip());
      return key.length == KEY_BYTES ? new SecretFile.Opening.Opened(key) : wrong(variable);
    } catch (IllegalArgumentException _) {
      return wrong(variable);
    }
  }

  private static SecretFile.Opening wrong(String variable) {
    return new SecretFile.Opening.Refused(
        "%s must be %d random bytes as base64".formatted(variable, KEY_BYTES));
  }
}
