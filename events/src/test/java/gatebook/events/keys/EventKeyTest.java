package gatebook.events.keys;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.journal.tree.Sha256;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

final class EventKeyTest {
  private static final int COMMITMENT_BYTES = 32;
  private static final int BLOCK_BYTES = 16;
  private static final byte[] BOUND = "id gatebook.CallReceived".getBytes(UTF_8);
  private static final String TEXT = "[\"{\\\"tool\\\":1}\"]";

  /** Sealed once: a key that seals twice is refused. */
  private static final byte[] SEALED =
      MemoryContentKeys.sealed(new EventKey(key(1)), BOUND, TEXT.getBytes(UTF_8));

  private final EventKey eventKey = new EventKey(key(1));

  @Test
  void sealedContentOpensWithWhatItIsBoundTo() {
    assertThat(eventKey.open(BOUND, SEALED)).asString(UTF_8).isEqualTo(TEXT);
    assertThat(eventKey.open("id gatebook.CallAnswered".getBytes(UTF_8), SEALED)).isNull();
  }

  @Test
  void sealedContentDoesNotContainTheText() {
    assertThat(SEALED).hasSize(COMMITMENT_BYTES + TEXT.length() + BLOCK_BYTES);
    assertThat(new String(SEALED, ISO_8859_1)).doesNotContain("tool");
  }

  @Test
  void everyChangedBitIsDetected() {
    for (int bit = 0; bit < SEALED.length * Byte.SIZE; bit++) {
      byte[] changed = SEALED.clone();
      changed[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);

      assertThat(eventKey.open(BOUND, changed)).isNull();
    }
  }

  @Test
  void everyTruncationIsDetected() {
    for (int length = 0; length < SEALED.length; length++) {
      assertThat(eventKey.open(BOUND, Arrays.copyOf(SEALED, length))).isNull();
    }
  }

  @Test
  void anotherKeyOpensNothing() {
    EventKey other = new EventKey(key(2));

    assertThat(other.open(BOUND, SEALED)).isNull();
    assertThat(other.open(BOUND, withCommitment(other, SEALED))).isNull();
    assertThat(eventKey.open(BOUND, withCommitment(other, SEALED))).isNull();
  }

  /** AES-GCM alone opens this ciphertext with both keys, to different texts. */
  @Test
  void oneCiphertextOpensWithOneKeyOnly() throws GeneralSecurityException {
    EventKey other = new EventKey(key(2));
    byte[] ciphertext = forTwoKeys(key(1), key(2));
    assertThat(decrypted(key(1), ciphertext)).isNotEqualTo(decrypted(key(2), ciphertext));

    byte[] ofFirst = withCommitment(eventKey, prefixed(ciphertext));
    assertThat(eventKey.open(BOUND, ofFirst)).isEqualTo(decrypted(key(1), ciphertext));
    assertThat(other.open(BOUND, ofFirst)).isNull();
  }

  @Test
  void keysOfEventsDiffer() {
    ContentOwner owner = ContentOwner.at("ada", Instant.EPOCH);
    ContentKey contentKey = new MemoryContentKeys().current(owner);

    assertThat(contentKey.ofEvent("a").bytes())
        .isEqualTo(contentKey.ofEvent("a").bytes())
        .isNotEqualTo(contentKey.ofEvent("b").bytes())
        .isNotEqualTo(contentKey.ofOriginals("a").bytes())
        .isNotEqualTo(contentKey.bytes());
  }

  private static byte[] withCommitment(EventKey key, byte[] sealed) {
    byte[] changed = sealed.clone();
    MessageDigest digest = Sha256.newDigest();
    digest.update("gatebook event key ".getBytes(UTF_8));
    System.arraycopy(digest.digest(key.bytes()), 0, changed, 0, COMMITMENT_BYTES);
    return changed;
  }

  private static byte[] prefixed(byte[] ciphertext) {
    byte[] prefixed = new byte[COMMITMENT_BYTES + ciphertext.length];
    System.arraycopy(ciphertext, 0, prefixed, COMMITMENT_BYTES, ciphertext.length);
    return prefixed;
  }

  private static byte[] decrypted(byte[] key, byte[] ciphertext) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    GCMParameterSpec zero = new GCMParameterSpec(BLOCK_BYTES * Byte.SIZE, new byte[12]);
    cipher.init(Cipher.DECRYPT_MODE, new SecretKeySpec(key, "AES"), zero);
    cipher.updateAAD(BOUND);
    return cipher.doFinal(ciphertext);
  }

  /**
   * One block and its tag, which is right under both keys: the block is the solution of one linear
   * equation.
   */
  private static byte[] forTwoKeys(byte[] one, byte[] other) throws GeneralSecurityException {
    BigInteger h1 = hashKey(one);
    BigInteger h2 = hashKey(other);
    BigInteger block =
        times(
            ghash(h1, BigInteger.ZERO)
                .xor(ghash(h2, BigInteger.ZERO))
                .xor(tagMask(one))
                .xor(tagMask(other)),
            inverse(times(h1, h1).xor(times(h2, h2))));
    return ByteBuffer.allocate(2 * BLOCK_BYTES)
        .put(bytes(block))
        .put(bytes(ghash(h1, block).xor(tagMask(one))))
        .array();
  }

  private static BigInteger ghash(BigInteger h, BigInteger block) {
    byte[] bound = Arrays.copyOf(BOUND, (BOUND.length + 15) / BLOCK_BYTES * BLOCK_BYTES);
    BigInteger hash = BigInteger.ZERO;
    for (int at = 0; at < bound.length; at += BLOCK_BYTES) {
      hash = times(hash.xor(number(Arrays.copyOfRange(bound, at, at + BLOCK_BYTES))), h);
    }
    byte[] lengths =
        ByteBuffer.allocate(BLOCK_BYTES)
            .putLong((long) BOUND.length * Byte.SIZE)
            .putLong((long) BLOCK_BYTES * Byte.SIZE)
            .array();
    return times(times(hash.xor(block), h).xor(number(lengths)), h);
  }

  private static BigInteger hashKey(byte[] key) throws GeneralSecurityException {
    return number(encrypted(key, new byte[BLOCK_BYTES]));
  }

  private static BigInteger tagMask(byte[] key) throws GeneralSecurityException {
    byte[] first = new byte[BLOCK_BYTES];
    first[BLOCK_BYTES - 1] = 1;
    return number(encrypted(key, first));
  }

  // a single block, as GCM itself uses the block cipher
  @SuppressWarnings("InsecureCryptoUsage")
  private static byte[] encrypted(byte[] key, byte[] block) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/ECB/NoPadding");
    cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"));
    return cipher.doFinal(block);
  }

  /** The product in the field of GCM, in which the first bit is the lowest power. */
  private static BigInteger times(BigInteger x, BigInteger y) {
    BigInteger reduction = BigInteger.valueOf(0xe1).shiftLeft(120);
    BigInteger product = BigInteger.ZERO;
    BigInteger shifted = y;
    for (int bit = 127; bit >= 0; bit--) {
      if (x.testBit(bit)) {
        product = product.xor(shifted);
      }
      shifted = shifted.testBit(0) ? shifted.shiftRight(1).xor(reduction) : shifted.shiftRight(1);
    }
    return product;
  }

  /** By Fermat: the power of 2^128 - 2. */
  private static BigInteger inverse(BigInteger x) {
    BigInteger square = x;
    BigInteger inverse = BigInteger.ONE.shiftLeft(127);
    for (int i = 1; i < 128; i++) {
      square = times(square, square);
      inverse = times(inverse, square);
    }
    return inverse;
  }

  private static BigInteger number(byte[] block) {
    return new BigInteger(1, block);
  }

  private static byte[] bytes(BigInteger number) {
    byte[] bytes = number.toByteArray();
    byte[] block = new byte[BLOCK_BYTES];
    int from = Math.max(0, bytes.length - BLOCK_BYTES);
    System.arraycopy(bytes, from, block, BLOCK_BYTES - (bytes.length - from), bytes.length - from);
    return block;
  }

  private static byte[] key(int fill) {
    byte[] key = new byte[ContentKey.BYTES];
    Arrays.fill(key, (byte) fill);
    return key;
  }
}
