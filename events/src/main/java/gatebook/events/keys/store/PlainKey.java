package gatebook.events.keys.store;

import gatebook.events.keys.ContentKey;
import gatebook.events.keys.ContentOwner;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A plain content key: unwrapped, and nothing derived from it yet.
 *
 * @param id its id, which is written as 16 hexadecimal digits
 */
@SuppressWarnings("ArrayRecordComponent") // handed on at once and never compared
record PlainKey(long id, ContentOwner owner, long madeAtMillis, byte[] bytes) {

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int ID_DIGITS = 16;

  /** A new random key with a new random id. */
  static PlainKey random(ContentOwner owner, InstantSource clock) {
    byte[] bytes = new byte[ContentKey.BYTES];
    RANDOM.nextBytes(bytes);
    return new PlainKey(RANDOM.nextLong(), owner, clock.millis(), bytes);
  }

  /** The id as events name it. */
  static String text(long id) {
    return HexFormat.of().toHexDigits(id);
  }

  /** Null when the text is not the id of a key. */
  static @Nullable Long id(String text) {
    return text.length() == ID_DIGITS && text.chars().allMatch(HexFormat::isHexDigit)
        ? HexFormat.fromHexDigitsToLong(text)
        : null;
  }

  ContentKey key() {
    return new ContentKey(text(id), owner, bytes);
  }

  boolean equalsId(@Nullable PlainKey other) {
    return other != null && other.id == id;
  }

  /** The same without the key itself. */
  StoredKey stored() {
    return new StoredKey(text(id), owner, Instant.ofEpochMilli(madeAtMillis));
  }

  /** What the wrapped key is bound to: it opens only in this store, and for this owner. */
  byte[] bound(UUID store) {
    byte[] principal = nameBytes(owner.principal());
    return ByteBuffer.allocate(4 * Long.BYTES + 1 + Integer.BYTES + principal.length)
        .putLong(store.getMostSignificantBits())
        .putLong(store.getLeastSignificantBits())
        .putLong(id)
        .putLong(madeAtMillis)
        .put((byte) (owner.principal() == null ? 0 : 1))
        .putInt((int) owner.day().toEpochDay())
        .put(principal)
        .array();
  }

  static byte[] nameBytes(@Nullable String principal) {
    return principal == null ? new byte[0] : principal.getBytes(StandardCharsets.UTF_8);
  }
}
