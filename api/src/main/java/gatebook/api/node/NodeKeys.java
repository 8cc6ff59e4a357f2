package gatebook.api.node;

import gatebook.api.data.SecretFile;
import gatebook.command.keep.PayloadCipher;
import gatebook.command.keep.PayloadRecorder;
import gatebook.events.keys.store.ContentKeyStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Reads the node's keys for digesting and sealing payloads: from the environment, where several
 * nodes share them, else from files that are created at the first start.
 */
final class NodeKeys {

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

  private static SecretFile.Opening key(
      String variable, String file, Path directory, Map<String, String> environment) {
    String given = environment.get(variable);
    return given == null
        ? SecretFile.open(directory.resolve(file), PayloadRecorder.KEY_BYTES)
        : SecretFile.decoded(variable, given, PayloadRecorder.KEY_BYTES);
  }
}
