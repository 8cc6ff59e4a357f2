package gatebook.query.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.TextNode;
import gatebook.events.call.Dialect;
import gatebook.events.fault.DefinedErrors;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What errors have in common that count as the same.
 *
 * @param code a number that the dialect's vocabularies define, else {@link #OTHER_CODE}; absent of
 *     floods, whose errors were not told one by one
 */
record FaultKey(
    Dialect dialect,
    @Nullable String code,
    String fault,
    @Nullable String gate,
    @Nullable String target) {

  /** Another way of telling errors apart takes another version, so that none is mistaken. */
  private static final String VERSION = "1";

  /** A source may send any code; each of its own would be a group of its own. */
  private static final String OTHER_CODE = "other";

  static String code(Dialect dialect, int code) {
    return DefinedErrors.hasCode(dialect, code) ? Integer.toString(code) : OTHER_CODE;
  }

  /** As operators see it. */
  static JsonNode shown(String code) {
    return code.equals(OTHER_CODE)
        ? TextNode.valueOf(code)
        : IntNode.valueOf(Integer.parseInt(code));
  }

  /** Equal for equal kinds, and different for others but by a chance that never comes. */
  long fingerprint() {
    String text =
        String.join(
            "\0",
            VERSION,
            dialect.word(),
            Objects.toString(code, ""),
            fault,
            Objects.toString(gate, ""),
            target == null ? "" : "=" + target);
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
      return ByteBuffer.wrap(hash).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** As operators see it. */
  static String shown(long fingerprint) {
    return VERSION + "-" + HexFormat.of().toHexDigits(fingerprint);
  }
}
