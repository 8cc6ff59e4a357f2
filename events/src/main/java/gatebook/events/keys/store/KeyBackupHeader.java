package gatebook.events.keys.store;

import gatebook.events.journal.storage.NewerFormat;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The header at the beginning of a backup of content keys. What follows is bound to it.
 *
 * @param at when the backup was made
 * @param store the id of the store
 * @param erasedUpTo the position up to which the store had applied the erasures of the journal
 * @param salt of the derivation of its key from a passphrase
 * @param fingerprint of that key
 * @param random of this file, whose own key is derived from both
 */
@SuppressWarnings("ArrayRecordComponent") // handed on at once and never compared
record KeyBackupHeader(
    Instant at,
    UUID store,
    Optional<StoreContent.FirstLeaf> journal,
    long erasedUpTo,
    int iterations,
    byte[] salt,
    long fingerprint,
    byte[] random) {

  static final int BYTES = 160;
  static final int RANDOM_BYTES = 32;

  private static final int VERSION = 1;
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final long MAGIC = 0x4742_4B45_5953_424BL;
  private static final int VERSION_AT = Long.BYTES;
  private static final int CHECKSUM_AT = VERSION_AT + Integer.BYTES;
  private static final int CONTENT_AT = CHECKSUM_AT + Integer.BYTES;

  static KeyBackupHeader of(StoreContent content, BackupKey key, Instant at) {
    byte[] random = new byte[RANDOM_BYTES];
    RANDOM.nextBytes(random);
    return new KeyBackupHeader(
        at,
        content.store(),
        content.journal(),
        content.erasedUpTo(),
        key.iterations(),
        key.salt(),
        key.fingerprintBits(),
        random);
  }

  ByteBuffer encode() {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES);
    bytes.putLong(MAGIC).putInt(VERSION).putInt(0).putLong(at.toEpochMilli());
    bytes.putLong(store.getMostSignificantBits()).putLong(store.getLeastSignificantBits());
    bytes.putLong(erasedUpTo).put((byte) (journal.isPresent() ? 1 : 0));
    bytes.put(
        journal
            .map(leaf -> HexFormat.of().parseHex(leaf.hex()))
            .orElseGet(() -> new byte[StoreContent.FirstLeaf.BYTES]));
    bytes.putInt(iterations).put(salt).putLong(fingerprint).put(random);
    bytes.putInt(CHECKSUM_AT, StoreHeader.checksum(bytes, BYTES));
    return bytes.clear();
  }

  /** Whether the bytes begin as backups of content keys do. */
  static boolean isBackup(ByteBuffer bytes) {
    return bytes.limit() >= CONTENT_AT && bytes.getLong(0) == MAGIC;
  }

  /** Why these bytes cannot be read: a newer version wrote them. Empty when none did. */
  static Optional<String> newer(String what, ByteBuffer bytes) {
    return isBackup(bytes) && bytes.getInt(VERSION_AT) > VERSION
        ? Optional.of(NewerFormat.sentence(what, bytes.getInt(VERSION_AT), VERSION))
        : Optional.empty();
  }

  /** Null when the bytes are not the header that was written. */
  static @Nullable KeyBackupHeader decode(ByteBuffer bytes) {
    if (bytes.limit() < BYTES
        || !isBackup(bytes)
        || bytes.getInt(VERSION_AT) != VERSION
        || bytes.getInt(CHECKSUM_AT) != StoreHeader.checksum(bytes, BYTES)) {
      return null;
    }
    ByteBuffer content = bytes.duplicate().position(CONTENT_AT);
    Instant at = Instant.ofEpochMilli(content.getLong());
    UUID store = new UUID(content.getLong(), content.getLong());
    long erasedUpTo = content.getLong();
    boolean hasJournal = content.get() == 1;
    byte[] leaf = new byte[StoreContent.FirstLeaf.BYTES];
    content.get(leaf);
    int iterations = content.getInt();
    byte[] salt = new byte[BackupKey.SALT_BYTES];
    content.get(salt);
    long fingerprint = content.getLong();
    byte[] random = new byte[RANDOM_BYTES];
    content.get(random);
    return iterations < 1 || iterations > BackupKey.ITERATIONS_MAX
        ? null
        : new KeyBackupHeader(
            at,
            store,
            hasJournal
                ? Optional.of(new StoreContent.FirstLeaf(HexFormat.of().formatHex(leaf)))
                : Optional.empty(),
            erasedUpTo,
            iterations,
            salt,
            fingerprint,
            random);
  }
}
