package gatebook.events.keys.store;

import gatebook.events.journal.storage.NewerFormat;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The header at the beginning of a file of content keys.
 *
 * @param salt a random number with which every frame of the file begins
 * @param store the id of the store
 * @param fingerprint of the wrapping key, which wraps the store's own key
 * @param wrapped the store's own key, which wraps the content keys
 */
@SuppressWarnings("ArrayRecordComponent") // handed on at once and never compared
record StoreHeader(long salt, UUID store, long fingerprint, byte[] wrapped, long erasedUpTo) {

  static final int BYTES = 128;
  static final int VERSION = 1;

  private static final long MAGIC = 0x4742_4B45_5953_544FL;
  private static final int VERSION_AT = Long.BYTES;
  private static final int CHECKSUM_AT = VERSION_AT + Integer.BYTES;
  private static final int CONTENT_AT = CHECKSUM_AT + Integer.BYTES;
  private static final byte[] BOUND = "gatebook store ".getBytes(StandardCharsets.UTF_8);

  /** A header for a new file of a store. */
  static StoreHeader of(StoreContent content, WrappingKey wrappingKey, WrappingKey storeKey) {
    return new StoreHeader(
        ThreadLocalRandom.current().nextLong(),
        content.store(),
        wrappingKey.fingerprintBits(),
        wrappingKey.wrap(bound(content.store()), storeKey.bytes()),
        content.erasedUpTo());
  }

  /** The store's own key; null when the wrapping key does not unwrap it. */
  static @Nullable WrappingKey storeKey(UUID store, WrappingKey wrappingKey, byte[] wrapped) {
    byte[] key = wrappingKey.unwrap(bound(store), wrapped);
    return key == null ? null : new WrappingKey(key);
  }

  /** What the store's own key is bound to. */
  static byte[] bound(UUID store) {
    return ByteBuffer.allocate(BOUND.length + 2 * Long.BYTES)
        .put(BOUND)
        .putLong(store.getMostSignificantBits())
        .putLong(store.getLeastSignificantBits())
        .array();
  }

  ByteBuffer encode() {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES);
    bytes.putLong(MAGIC).putInt(VERSION).putInt(0).putLong(salt);
    bytes.putLong(store.getMostSignificantBits()).putLong(store.getLeastSignificantBits());
    bytes.putLong(fingerprint).put(wrapped).putLong(erasedUpTo);
    bytes.putInt(CHECKSUM_AT, checksum(bytes, BYTES));
    return bytes.clear();
  }

  /** Why these bytes cannot be read: a newer version wrote them. Empty when none did. */
  static Optional<String> newer(String what, ByteBuffer bytes) {
    return bytes.limit() >= CONTENT_AT
            && bytes.getLong(0) == MAGIC
            && bytes.getInt(VERSION_AT) > VERSION
        ? Optional.of(NewerFormat.sentence(what, bytes.getInt(VERSION_AT), VERSION))
        : Optional.empty();
  }

  /** Null when the bytes are not a header, or not the one that was written. */
  static @Nullable StoreHeader decode(ByteBuffer bytes) {
    if (bytes.limit() < BYTES
        || bytes.getLong(0) != MAGIC
        || bytes.getInt(VERSION_AT) != VERSION
        || bytes.getInt(CHECKSUM_AT) != checksum(bytes, BYTES)) {
      return null;
    }
    ByteBuffer content = bytes.duplicate().position(CONTENT_AT);
    long salt = content.getLong();
    UUID store = new UUID(content.getLong(), content.getLong());
    long fingerprint = content.getLong();
    byte[] wrapped = new byte[WrappingKey.WRAPPED_BYTES];
    content.get(wrapped);
    return new StoreHeader(salt, store, fingerprint, wrapped, content.getLong());
  }

  /** The checksum of a header, which has it after its kind and version. */
  static int checksum(ByteBuffer bytes, int length) {
    CRC32C sum = new CRC32C();
    sum.update(bytes.slice(0, CHECKSUM_AT));
    sum.update(bytes.slice(CONTENT_AT, length - CONTENT_AT));
    return (int) sum.getValue();
  }
}
