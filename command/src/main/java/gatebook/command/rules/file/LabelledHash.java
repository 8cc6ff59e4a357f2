package gatebook.command.rules.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.journal.tree.Sha256;
import java.security.MessageDigest;
import java.util.HexFormat;

/**
 * A SHA-256 hash over labelled texts. Each is preceded by the lengths of its label and text, so
 * that different sequences of texts never give the same input.
 */
final class LabelledHash {

  private final MessageDigest digest = Sha256.newDigest();

  static String of(String text) {
    return new LabelledHash().add("text", text).finish();
  }

  LabelledHash add(String label, String text) {
    byte[] bytes = text.getBytes(UTF_8);
    byte[] labelBytes = label.getBytes(UTF_8);
    digest.update("%d %d\n".formatted(labelBytes.length, bytes.length).getBytes(UTF_8));
    digest.update(labelBytes);
    digest.update(bytes);
    return this;
  }

  /** The digest of all texts added so far; resets this hash. */
  String finish() {
    return "sha256:" + HexFormat.of().formatHex(digest.digest());
  }
}
