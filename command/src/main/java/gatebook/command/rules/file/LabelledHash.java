package gatebook.command.rules.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A SHA-256 over texts, each with its label and length in front, so that no two runs are alike. */
final class LabelledHash {

  private final MessageDigest digest = sha256();

  static String of(String text) {
    return new LabelledHash().add("text", text).word();
  }

  LabelledHash add(String label, String text) {
    byte[] bytes = text.getBytes(UTF_8);
    byte[] labelBytes = label.getBytes(UTF_8);
    digest.update("%d %d\n".formatted(labelBytes.length, bytes.length).getBytes(UTF_8));
    digest.update(labelBytes);
    digest.update(bytes);
    return this;
  }

  /** The digest of all that was added, which begins anew. */
  String word() {
    return "sha256:" + HexFormat.of().formatHex(digest.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
