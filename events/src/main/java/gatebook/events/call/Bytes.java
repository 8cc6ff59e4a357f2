package gatebook.events.call;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Base64;

/** Immutable bytes, equal by content, written as base64 with padding. */
public record Bytes(@JsonValue String base64) {

  private static final String ALPHABET =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

  private static final int GROUP = 4;

  @JsonCreator
  public Bytes {
    if (!isCanonical(base64)) {
      throw new IllegalArgumentException(
          "not base64, or without its padding, or with stray bits at its end");
    }
  }

  /** Whether a text is the one encoding of its content. */
  private static boolean isCanonical(String base64) {
    int end = base64.length();
    while (end > 0 && base64.charAt(end - 1) == '=') {
      end--;
    }
    int padding = base64.length() - end;
    int last = 0;
    for (int at = 0; at < end; at++) {
      last = ALPHABET.indexOf(base64.charAt(at));
      if (last < 0) {
        return false;
      }
    }
    int strayBits = (1 << (2 * padding)) - 1;
    return base64.length() % GROUP == 0 && padding <= 2 && (last & strayBits) == 0;
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
