package gatebook.events.journal.witness;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;

/**
 * A log of somebody else, written from the specifications with nothing of the product: its tree,
 * proofs, checkpoints and requests to a witness, and its check of the witness's cosignatures.
 */
public final class ForeignLog {
  private static final byte[] SPKI = HexFormat.of().parseHex("302a300506032b6570032100");
  private static final int LOG = 1;
  private static final int WITNESS = 4;

  private final String origin;
  private final KeyPair pair;
  private final List<byte[]> leaves = new ArrayList<>();

  private ForeignLog(String origin, KeyPair pair) {
    this.origin = origin;
    this.pair = pair;
  }

  /** A new log with a key of its own. */
  public static ForeignLog named(String origin) {
    try {
      return new ForeignLog(origin, KeyPairGenerator.getInstance("Ed25519").generateKeyPair());
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  /** A log with the same key and leaves, which goes on by itself. */
  public ForeignLog fork() {
    ForeignLog fork = new ForeignLog(origin, pair);
    fork.leaves.addAll(leaves);
    return fork;
  }

  /** The same leaves under another name of the same key. */
  ForeignLog renamed(String other) {
    ForeignLog log = new ForeignLog(other, pair);
    log.leaves.addAll(leaves);
    return log;
  }

  /** Adds leaves of these contents. */
  public ForeignLog grow(String... contents) {
    for (String content : contents) {
      leaves.add(hash(new byte[] {0}, content.getBytes(UTF_8)));
    }
    return this;
  }

  /** Goes back to fewer leaves. */
  void truncate(int size) {
    leaves.subList(size, leaves.size()).clear();
  }

  public int size() {
    return leaves.size();
  }

  /** The verifier key. */
  public String key() {
    byte[] raw = raw(pair.getPublic());
    return "%s+%s+%s"
        .formatted(origin, HexFormat.of().formatHex(id(origin, LOG, raw)), base64(typed(LOG, raw)));
  }

  /** The hash of the origin, as it is in the path of the newest checkpoint. */
  public String hash() {
    return HexFormat.of().formatHex(hash(origin.getBytes(UTF_8)));
  }

  /** The text of the checkpoint of a size. */
  String text(int size) {
    return "%s\n%d\n%s\n".formatted(origin, size, base64(root(leaves.subList(0, size))));
  }

  /** The signed checkpoint of a size. */
  public String checkpoint(int size) {
    return signed(text(size));
  }

  /** A text with the signature of this log. */
  String signed(String text) {
    return text + "\n" + line(text);
  }

  String line(String text) {
    byte[] id = id(origin, LOG, raw(pair.getPublic()));
    return "\u2014 %s %s\n".formatted(origin, base64(joined(id, sign(text))));
  }

  private byte[] sign(String text) {
    try {
      Signature signature = Signature.getInstance("Ed25519");
      signature.initSign(pair.getPrivate());
      signature.update(text.getBytes(UTF_8));
      return signature.sign();
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  /** The request to cosign the checkpoint of a size, with the proof from another one. */
  public String request(int old, int size) {
    return request(old, proof(old, size), checkpoint(size));
  }

  static String request(int old, List<String> proof, String checkpoint) {
    return "old "
        + old
        + "\n"
        + String.join("", proof.stream().map(it -> it + "\n").toList())
        + "\n"
        + checkpoint;
  }

  List<String> proof(int old, int size) {
    List<byte[]> hashes = new ArrayList<>();
    if (old > 0 && old < size) {
      addProof(old, leaves.subList(0, size), true, hashes);
    }
    return hashes.stream().map(ForeignLog::base64).toList();
  }

  /** SUBPROOF of RFC 6962, 2.1.2. */
  private static void addProof(int m, List<byte[]> d, boolean isKnown, List<byte[]> proof) {
    if (m == d.size()) {
      if (!isKnown) {
        proof.add(root(d));
      }
      return;
    }
    int k = Integer.highestOneBit(d.size() - 1);
    if (m <= k) {
      addProof(m, d.subList(0, k), isKnown, proof);
      proof.add(root(d.subList(k, d.size())));
    } else {
      addProof(m - k, d.subList(k, d.size()), false, proof);
      proof.add(root(d.subList(0, k)));
    }
  }

  private static byte[] root(List<byte[]> d) {
    if (d.isEmpty()) {
      return hash(new byte[0]);
    }
    int k = Integer.highestOneBit(d.size() - 1);
    return d.size() == 1
        ? d.getFirst()
        : hash(new byte[] {1}, root(d.subList(0, k)), root(d.subList(k, d.size())));
  }

  /** Whether a line is a witness's cosignature of this log's checkpoint, at a time. */
  public boolean isCosigned(String line, String witnessKey, int size, long seconds) {
    String[] key = witnessKey.split("\\+", 3);
    String[] parts = line.strip().split(" ", -1);
    byte[] typed = Base64.getDecoder().decode(key[2]);
    byte[] raw = Arrays.copyOfRange(typed, 1, typed.length);
    byte[] blob = Base64.getDecoder().decode(parts[2]);
    String message = "cosignature/v1\ntime " + seconds + "\n" + text(size);
    return typed[0] == WITNESS
        && parts[0].equals("\u2014")
        && parts[1].equals(key[0])
        && key[1].equals(HexFormat.of().formatHex(id(key[0], WITNESS, raw)))
        && blob.length == 4 + 8 + 64
        && Arrays.equals(Arrays.copyOf(blob, 4), id(key[0], WITNESS, raw))
        && Long.parseUnsignedLong(HexFormat.of().formatHex(blob, 4, 12), 16) == seconds
        && verifies(raw, message, Arrays.copyOfRange(blob, 12, blob.length));
  }

  private static boolean verifies(byte[] raw, String message, byte[] signed) {
    try {
      Signature signature = Signature.getInstance("Ed25519");
      signature.initVerify(
          KeyFactory.getInstance("Ed25519")
              .generatePublic(new X509EncodedKeySpec(joined(SPKI, raw))));
      signature.update(message.getBytes(UTF_8));
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private static byte[] raw(PublicKey key) {
    byte[] encoded = key.getEncoded();
    return Arrays.copyOfRange(encoded, SPKI.length, encoded.length);
  }

  private static byte[] id(String name, int type, byte[] raw) {
    return Arrays.copyOf(hash((name + "\n").getBytes(UTF_8), typed(type, raw)), 4);
  }

  private static byte[] typed(int type, byte[] raw) {
    return joined(new byte[] {(byte) type}, raw);
  }

  private static byte[] joined(byte[] one, byte[] two) {
    byte[] both = Arrays.copyOf(one, one.length + two.length);
    System.arraycopy(two, 0, both, one.length, two.length);
    return both;
  }

  private static byte[] hash(byte[]... parts) {
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      for (byte[] part : parts) {
        sha256.update(part);
      }
      return sha256.digest();
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }
}
