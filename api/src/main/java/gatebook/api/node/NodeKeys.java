package gatebook.api.node;

import gatebook.api.backup.RecordedBackups;
import gatebook.api.data.JournalKeys;
import gatebook.api.data.SecretFile;
import gatebook.events.keys.KeyLookup;
import gatebook.events.keys.OldKeys;
import gatebook.events.keys.store.ContentKeyStore;
import gatebook.events.vocabulary.EventVocabulary;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Opens the node's keys: the store of content keys, and those for digesting and sealing payloads
 * that nodes had before, from the environment or from files.
 */
final class NodeKeys {

  private static final int KEY_BYTES = 32;

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

  /** What may still hold keys that this node destroyed, in sentences for operators. */
  static List<String> mayStillHold(
      RecordedBackups recordedBackups, boolean isShared, Map<String, String> environment) {
    List<String> places = new ArrayList<>(recordedBackups.mayStillHold());
    places.add("copies of the content keys that were made otherwise");
    if (isShared) {
      places.add("backups of the database, until the file of the wrapping key is replaced");
    }
    if (environment.containsKey(JournalKeys.WRAPPING_KEY)) {
      places.add(
          "copies of the store of keys, which open with the wrapping key in "
              + JournalKeys.WRAPPING_KEY
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
        given == null
            ? SecretFile.open(file, KEY_BYTES)
            : SecretFile.decoded(variable, given, KEY_BYTES);
    return switch (opening) {
      case SecretFile.Opening.Opened(var key) -> new OldKey.Read(key);
      case SecretFile.Opening.Refused(var sentence) -> new OldKey.Refused(sentence);
    };
  }
}
