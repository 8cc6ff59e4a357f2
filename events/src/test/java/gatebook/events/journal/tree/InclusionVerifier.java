package gatebook.events.journal.tree;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;

/**
 * Verifies proofs without the journal, from texts only: the signed note, the verifier key and the
 * path. It follows RFC 9162, 2.1.3.2, and the C2SP specifications, and uses nothing of the journal.
 */
public final class InclusionVerifier {
  private static final HexFormat HEX = HexFormat.of();
  private static final String ED25519_KEY_PREFIX = "302a300506032b6570032100";
  private static final int KEY_ID_BYTES = 4;

  private InclusionVerifier() {}

  /** Whether the note is signed by the key, and the path leads from the leaf to its root. */
  public static boolean verifies(
      String note, String key, long index, String leaf, List<String> path) {
    String text = note.substring(0, note.indexOf("\n\n") + 1);
    String[] lines = text.split("\n", -1);
    return isSigned(note, text, key)
        && lines[0].equals(key.split("\\+", 3)[0])
        && leadsToRoot(
            index,
            Long.parseLong(lines[1]),
            HEX.parseHex(leaf),
            path.stream().map(HEX::parseHex).toList(),
            Base64.getDecoder().decode(lines[2]));
  }

  /** The leaf of an envelope. */
  public static String leaf(byte[] envelope) {
    return HEX.formatHex(hash(new byte[] {0}, envelope));
  }

  /** The steps and names of the RFC. */
  static boolean leadsToRoot(
      long leafIndex, long treeSize, byte[] hash, List<byte[]> inclusionPath, byte[] rootHash) {
    if (leafIndex >= treeSize) {
      return false;
    }
    long fn = leafIndex;
    long sn = treeSize - 1;
    byte[] r = hash;
    for (byte[] p : inclusionPath) {
      if (sn == 0) {
        return false;
      }
      if (fn % 2 == 1 || fn == sn) {
        r = hash(new byte[] {1}, p, r);
        while (fn % 2 == 0 && fn != 0) {
          fn /= 2;
          sn /= 2;
        }
      } else {
        r = hash(new byte[] {1}, r, p);
      }
      fn /= 2;
      sn /= 2;
    }
    return sn == 0 && Arrays.equals(r, rootHash);
  }

  private static boolean isSigned(String note, String text, String key) {
    String[] keyParts = key.split("\\+", 3);
    byte[] typedKey = Base64.getDecoder().decode(keyParts[2]);
    String signatureLine = note.substring(text.length() + 1).strip();
    String[] signatureParts = signatureLine.split(" ", 3);
    byte[] signature = Base64.getDecoder().decode(signatureParts[2]);
    byte[] id = Arrays.copyOf(hash((keyParts[0] + "\n").getBytes(UTF_8), typedKey), KEY_ID_BYTES);
    return signatureParts[0].equals("\u2014")
        && signatureParts[1].equals(keyParts[0])
        && HEX.formatHex(id).equals(keyParts[1])
        && Arrays.equals(id, Arrays.copyOf(signature, KEY_ID_BYTES))
        && typedKey[0] == 1
        && isEd25519(
            Arrays.copyOfRange(typedKey, 1, typedKey.length),
            text.getBytes(UTF_8),
            Arrays.copyOfRange(signature, KEY_ID_BYTES, signature.length));
  }

  private static boolean isEd25519(byte[] publicKey, byte[] text, byte[] signed) {
    try {
      Signature signature = Signature.getInstance("Ed25519");
      signature.initVerify(
          KeyFactory.getInstance("Ed25519")
              .generatePublic(
                  new X509EncodedKeySpec(
                      HEX.parseHex(ED25519_KEY_PREFIX + HEX.formatHex(publicKey)))));
      signature.update(text);
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      return false;
    }
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
}
