package gatebook.command.redact;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Detects known secrets, the longest first. */
final class KnownSecretDetector implements Detector {

  /** Shorter secrets would match almost any text. */
  static final int LENGTH_MIN = 4;

  private final List<String> secrets;

  KnownSecretDetector(Collection<String> secrets) {
    this.secrets =
        secrets.stream()
            .filter(secret -> secret.length() >= LENGTH_MIN)
            .distinct()
            .sorted(Comparator.comparingInt(String::length).reversed())
            .toList();
  }

  /** Whether there is a secret in the text, perhaps in a marker. */
  boolean isIn(String text) {
    for (String secret : secrets) {
      if (text.contains(secret)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void find(String text, ScrubFindings scrubFindings) {
    for (String secret : secrets) {
      int at = text.indexOf(secret);
      while (at >= 0) {
        int end = at + secret.length();
        if (!isInMarker(text, at, end)) {
          scrubFindings.add(at, end, SecretKind.KNOWN);
        }
        at = text.indexOf(secret, end);
      }
    }
  }

  private static boolean isInMarker(String text, int start, int end) {
    return RedactionMarker.end(text, RedactionMarker.start(text, start)) >= end;
  }
}
