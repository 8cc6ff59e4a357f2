package gatebook.events.journal.checkpoint;

import java.util.Base64;
import java.util.Optional;

/**
 * Strict base64, in which every value has exactly one text: so a note cannot be changed and stay
 * valid.
 */
final class StrictBase64 {
  private StrictBase64() {}

  static String encode(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  static Optional<byte[]> decode(String text) {
    try {
      byte[] bytes = Base64.getDecoder().decode(text);
      return encode(bytes).equals(text) ? Optional.of(bytes) : Optional.empty();
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }
}
