package gatebook.events.call;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Base64;

/** Immutable bytes, equal by content, written as base64 with padding. */
public record Bytes(@JsonValue String base64) {

  @JsonCreator
  public Bytes {
    var decoded = Base64.getDecoder().decode(base64);
    if (!Base64.getEncoder().encodeToString(decoded).equals(base64)) {
      throw new IllegalArgumentException(
          "base64 without its padding, or with stray bits at its end");
    }
  }

  /** A copy of the given bytes. */
  public static Bytes of(byte[] bytes) {
    return new Bytes(Base64.getEncoder().encodeToString(bytes));
  }

  /** A copy of the bytes. */
  public byte[] toArray() {
    return Base64.getDecoder().decode(base64);
  }
}
