package gatebook.command.redact;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects the findings of detectors in one text and redacts them. */
final class ScrubFindings {

  /** A range to redact; {@code end} is exclusive. */
  record Finding(int start, int end, SecretKind kind) {}

  private static final Comparator<Finding> IN_ORDER =
      Comparator.comparingInt(Finding::start)
          .thenComparing(Finding::end, Comparator.reverseOrder());

  /** Of a text in which no detector has to run. */
  static final ScrubFindings NONE = new ScrubFindings();

  private List<Finding> findings = List.of();

  void add(int start, int end, SecretKind secretKind) {
    if (end > start) {
      if (findings.isEmpty()) {
        findings = new ArrayList<>();
      }
      findings.add(new Finding(start, end, secretKind));
    }
  }

  List<Finding> all() {
    return findings;
  }

  /** The text with a marker in place of each finding, one marker for overlapping findings. */
  String redactedText(String text) {
    if (findings.isEmpty()) {
      return text;
    }
    findings.sort(IN_ORDER);
    StringBuilder out = new StringBuilder(text.length());
    int done = 0;
    for (int i = 0; i < findings.size(); ) {
      Finding first = findings.get(i);
      int end = first.end;
      for (i++; i < findings.size() && findings.get(i).start < end; i++) {
        end = Math.max(end, findings.get(i).end);
      }
      out.append(text, done, Math.max(done, wholeStart(text, first.start)))
          .append(first.kind.marker().text());
      done = wholeEnd(text, end);
    }
    return out.append(text, done, text.length()).toString();
  }

  private static int wholeStart(String text, int at) {
    int start = RedactionMarker.start(text, at);
    return splitsPair(text, start) ? start - 1 : start;
  }

  private static int wholeEnd(String text, int at) {
    int start = RedactionMarker.start(text, at);
    int end = start < at ? RedactionMarker.end(text, start) : at;
    return splitsPair(text, end) ? end + 1 : end;
  }

  private static boolean splitsPair(String text, int at) {
    return at > 0
        && at < text.length()
        && Character.isHighSurrogate(text.charAt(at - 1))
        && Character.isLowSurrogate(text.charAt(at));
  }
}
