package gatebook.command.keep;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.call.Bytes;
import gatebook.events.call.Digest;
import gatebook.events.call.Kept;
import gatebook.events.call.Sealed;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Keeps of a content its size and keyed digest: enough to tell whether two were equal, and, without
 * the key, not enough to guess what they were.
 */
public final class Keeper {

  /** How long a key has to be. */
  public static final int KEY_BYTES = 32;

  private static final String HMAC = "HmacSHA256";
  private static final int NAME_BYTES = 8;

  private final SecretKeySpec key;
  private final String keyName;

  /** The key's name follows from the key, and tells nothing of it. */
  public Keeper(byte[] key) {
    if (key.length != KEY_BYTES) {
      throw new IllegalArgumentException("a digest key has %d bytes".formatted(KEY_BYTES));
    }
    this.key = new SecretKeySpec(key, HMAC);
    this.keyName = name(key);
  }

  public Kept keep(String content) {
    byte[] bytes = content.getBytes(UTF_8);
    return new Kept(bytes.length, new Digest(keyName, Bytes.of(hmac(bytes))), null, null);
  }

  public Kept keepResult(String content) {
    return keep(content);
  }

  public Digest digest(String content) {
    return new Digest(keyName, Bytes.of(hmac(content.getBytes(UTF_8))));
  }

  public @org.jspecify.annotations.Nullable Sealed seal(java.util.UUID callId, String content) {
    return null;
  }

  private byte[] hmac(byte[] content) {
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(key);
      return mac.doFinal(content);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + HMAC, e);
    }
  }

  private static String name(byte[] key) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(key);
      return HexFormat.of().formatHex(Arrays.copyOf(hash, NAME_BYTES));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
