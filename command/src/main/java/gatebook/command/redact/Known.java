package gatebook.command.redact;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Finds texts that are known to be secret, the longest first. */
final class Known implements Detector {

  /** Shorter ones would be found in everything. */
  static final int LENGTH_MIN = 4;

  private final List<String> secrets;

  Known(Collection<String> secrets) {
    this.secrets =
        secrets.stream()
            .filter(secret -> secret.length() >= LENGTH_MIN)
            .distinct()
            .sorted(Comparator.comparingInt(String::length).reversed())
            .toList();
  }

  @Override
  public void find(String text, Findings findings) {
    for (String secret : secrets) {
      int at = text.indexOf(secret);
      while (at >= 0) {
        int end = at + secret.length();
        if (!isInMarker(text, at, end)) {
          findings.add(at, end, Kind.KNOWN);
        }
        at = text.indexOf(secret, end);
      }
    }
  }

  boolean isIn(String text) {
    for (String secret : secrets) {
      if (text.contains(secret)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isInMarker(String text, int start, int end) {
    return Marker.end(text, Marker.start(text, start)) >= end;
  }
}
