package gatebook.api.node;

import gatebook.api.data.JournalPlace;
import gatebook.api.data.SecretFile;
import gatebook.command.keep.PayloadCipher;
import gatebook.command.keep.PayloadRecorder;
import gatebook.events.journal.JournalAccess;
import gatebook.events.journal.postgres.SharedLocation;
import gatebook.events.keys.store.ContentKeyStore;
import gatebook.events.keys.store.FileKeyStore;
import gatebook.events.keys.store.RecordedKeys;
import gatebook.events.keys.store.TableKeyStore;
import gatebook.events.keys.store.WrappingKey;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the node's keys for digesting and sealing payloads: from the environment, where several
 * nodes share them, else from files that are created at the first start.
 */
final class NodeKeys {

  /** The variable of the key that wraps the content keys. */
  static final String WRAPPING_KEY = "GATEBOOK_WRAPPING_KEY";

  private NodeKeys() {}

  /** The result of reading the keys. */
  sealed interface Opening {
    record Opened(PayloadRecorder payloadRecorder) implements Opening {}

    record Refused(String sentence) implements Opening {}
  }

  static Opening open(Path directory, Map<String, String> environment) {
    return switch (key("GATEBOOK_DIGEST_KEY", "digest.key", directory, environment)) {
      case SecretFile.Opening.Refused(var sentence) -> new Opening.Refused(sentence);
      case SecretFile.Opening.Opened(var digest) ->
          switch (key("GATEBOOK_SEAL_KEY", "seal.key", directory, environment)) {
            case SecretFile.Opening.Refused(var sentence) -> new Opening.Refused(sentence);
            case SecretFile.Opening.Opened(var seal) ->
                new Opening.Opened(new PayloadRecorder(digest, new PayloadCipher(seal)));
          };
    };
  }

  /**
   * The open store of content keys.
   *
   * @param missing the keys of the newest events that are missing, and were not erased
   */
  record Store(ContentKeyStore contentKeys, List<String> missing) {}

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

  private static SecretFile.Opening key(
      String variable, String file, Path directory, Map<String, String> environment) {
    String given = environment.get(variable);
    return given == null
        ? SecretFile.open(directory.resolve(file), PayloadRecorder.KEY_BYTES)
        : decoded(variable, given);
  }

  private static SecretFile.Opening decoded(String variable, String base64) {
    try {
      byte[] key = Base64.getDecoder().decode(base64.strip());
      return key.length == PayloadRecorder.KEY_BYTES
          ? new SecretFile.Opening.Opened(key)
          : wrong(variable);
    } catch (IllegalArgumentException _) {
      return wrong(variable);
    }
  }

  private static SecretFile.Opening wrong(String variable) {
    return new SecretFile.Opening.Refused(
        "%s must be %d random bytes as base64".formatted(variable, PayloadRecorder.KEY_BYTES));
  }
}
