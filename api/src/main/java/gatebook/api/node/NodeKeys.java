package gatebook.api.node;

import gatebook.api.data.SecretFile;
import gatebook.events.keys.OldKeys;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the node's keys for digesting and sealing payloads: from the environment, where several
 * nodes share them, else from files that are created at the first start.
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
      return key.length == KEY_BYTES
          ? new SecretFile.Opening.Opened(key)
          : wrong(variable);
    } catch (IllegalArgumentException _) {
      return wrong(variable);
    }
  }

  private static SecretFile.Opening wrong(String variable) {
    return new SecretFile.Opening.Refused(
        "%s must be %d random bytes as base64".formatted(variable, KEY_BYTES));
  }
}
