package gatebook.events.journal.checkpoint;

import java.io.Serial;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.EdECPrivateKey;
import java.security.spec.NamedParameterSpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;

/** Ed25519 signatures by the JDK, with keys as the 32 raw bytes of RFC 8032. */
final class Ed25519 {
  static final int KEY_BYTES = 32;
  static final int SIGNATURE_BYTES = 64;

  private static final String ALGORITHM = "Ed25519";

  /** The bytes before the 32 of a public key in its SubjectPublicKeyInfo. */
  private static final byte[] SPKI_PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

  private Ed25519() {}

  static KeyPair generate() {
    return pair(new SecureRandom());
  }

  /**
   * The key pair of a seed. The JDK offers no way from a private key to its public one, but
   * generating a pair takes its seed from the random source. If a provider drew it in another way,
   * the key id in the key file would not match and the file would be refused.
   */
  static KeyPair pairOf(byte[] seed) {
    return pair(new FixedSeed(seed));
  }

  private static KeyPair pair(SecureRandom random) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(ALGORITHM);
      generator.initialize(NamedParameterSpec.ED25519, random);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw unavailable(e);
    }
  }

  static byte[] seed(PrivateKey key) {
    return ((EdECPrivateKey) key)
        .getBytes()
        .orElseThrow(() -> new IllegalStateException("the private key hides its bytes"));
  }

  static byte[] raw(PublicKey key) {
    byte[] encoded = key.getEncoded();
    return Arrays.copyOfRange(encoded, SPKI_PREFIX.length, encoded.length);
  }

  static byte[] sign(PrivateKey key, byte[] text) {
    try {
      Signature signature = Signature.getInstance(ALGORITHM);
      signature.initSign(key);
      signature.update(text);
      return signature.sign();
    } catch (GeneralSecurityException e) {
      throw unavailable(e);
    }
  }

  /** Whether this is the key's signature; false for bytes that are not a key or not a signature. */
  static boolean verifies(byte[] publicKey, byte[] text, byte[] signed) {
    try {
      Signature signature = Signature.getInstance(ALGORITHM);
      signature.initVerify(publicKey(publicKey));
      signature.update(text);
      return signed.length == SIGNATURE_BYTES && signature.verify(signed);
    } catch (GeneralSecurityException _) {
      return false;
    }
  }

  private static PublicKey publicKey(byte[] raw) throws GeneralSecurityException {
    byte[] encoded = Arrays.copyOf(SPKI_PREFIX, SPKI_PREFIX.length + raw.length);
    System.arraycopy(raw, 0, encoded, SPKI_PREFIX.length, raw.length);
    return KeyFactory.getInstance(ALGORITHM).generatePublic(new X509EncodedKeySpec(encoded));
  }

  private static IllegalStateException unavailable(GeneralSecurityException e) {
    return new IllegalStateException("this java cannot sign with Ed25519", e);
  }

  private static final class FixedSeed extends SecureRandom {
    @Serial private static final long serialVersionUID = 1;
    private final byte[] seed;

    FixedSeed(byte[] seed) {
      this.seed = seed;
    }

    @Override
    public void nextBytes(byte[] bytes) {
      System.arraycopy(seed, 0, bytes, 0, bytes.length);
    }
  }
}
