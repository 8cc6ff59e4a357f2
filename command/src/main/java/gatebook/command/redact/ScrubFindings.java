package gatebook.command.redact;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What detectors found in one text, and the text without it. */
final class ScrubFindings {

  /** From {@code start} to before {@code end}. */
  record Found(int start, int end, SecretKind kind) {}

  private static final Comparator<Found> IN_ORDER =
      Comparator.comparingInt(Found::start).thenComparing(Found::end, Comparator.reverseOrder());

  private final String text;
  private final List<Found> found = new ArrayList<>();

  ScrubFindings(String text) {
    this.text = text;
  }

  void add(int start, int end, SecretKind secretKind) {
    if (end > start) {
      found.add(new Found(start, end, secretKind));
    }
  }

  List<Found> all() {
    return found;
  }

  /** The text with a marker for each finding, and one for those that overlap. */
  String replaced() {
    if (found.isEmpty()) {
      return text;
    }
    found.sort(IN_ORDER);
    StringBuilder out = new StringBuilder(text.length());
    int done = 0;
    for (int i = 0; i < found.size(); ) {
      Found first = found.get(i);
      int end = first.end;
      for (i++; i < found.size() && found.get(i).start < end; i++) {
        end = Math.max(end, found.get(i).end);
      }
      out.append(text, done, Math.max(done, wholeStart(first.start)))
          .append(first.kind.marker().text());
      done = wholeEnd(end);
    }
    return out.append(text, done, text.length()).toString();
  }

  private int wholeStart(int at) {
    int start = RedactionMarker.start(text, at);
    return splitsPair(start) ? start - 1 : start;
  }

  private int wholeEnd(int at) {
    int start = RedactionMarker.start(text, at);
    int end = start < at ? RedactionMarker.end(text, start) : at;
    return splitsPair(end) ? end + 1 : end;
  }

  private boolean splitsPair(int at) {
    return at > 0
        && at < text.length()
        && Character.isHighSurrogate(text.charAt(at - 1))
        && Character.isLowSurrogate(text.charAt(at));
  }
}
