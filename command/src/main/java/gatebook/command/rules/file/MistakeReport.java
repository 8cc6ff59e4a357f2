package gatebook.command.rules.file;

import gatebook.command.redact.Scrubber;
import gatebook.events.RulesRejected.Mistake;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;

/**
 * Collects the mistakes, warnings and secrets found while one rules file is read. Its sentences
 * never repeat a value, which may be secret; the position identifies it.
 */
final class MistakeReport {

  /** The text that replaces a value that is secret as a whole. */
  private static final String REDACTED = "[REDACTED]";

  private final String file;
  private final FilledText text;
  private final boolean isRecorded;
  private final List<Finding> mistakes = new ArrayList<>();
  private final List<Finding> warnings = new ArrayList<>();
  private final List<Range> secrets = new ArrayList<>();

  private record Finding(int index, Mistake mistake) {}

  /** A range of the text that is never recorded, and its replacement. */
  record Range(int start, int end, String replacement) {}

  MistakeReport(String file, FilledText text) {
    this(file, text, false);
  }

  private MistakeReport(String file, FilledText text, boolean isRecorded) {
    this.file = file;
    this.text = text;
    this.isRecorded = isRecorded;
  }

  /** A report on a recorded text: variables are already filled in and secrets masked. */
  static MistakeReport ofRecorded(String file, String text) {
    return new MistakeReport(file, VariableSubstitution.unchanged(text), true);
  }

  /** Whether a secret was here that was masked when the text was recorded. */
  boolean isMaskedSecret(Node node) {
    return isRecorded && node instanceof ScalarNode scalar && scalar.getValue().equals(REDACTED);
  }

  FilledText text() {
    return text;
  }

  void mistake(Node at, String sentence) {
    if (!text.isUnknown(start(at), end(at))) {
      mistake(start(at), sentence);
    }
  }

  void warning(Node at, String sentence) {
    warnings.add(finding(start(at), sentence));
  }

  /** The line in which a node begins. */
  int line(Node at) {
    return text.place(text.origin(start(at))).line();
  }

  void mistake(int index, String sentence) {
    mistakes.add(finding(index, sentence));
  }

  void flaw(FilledText.Flaw flaw) {
    mistakes.add(new Finding(flaw.index(), at(flaw.index(), flaw.sentence())));
  }

  void maskSecret(Node node) {
    maskSecret(start(node), end(node), '"' + REDACTED + '"');
  }

  void maskSecret(int start, int end, String instead) {
    secrets.add(new Range(start, end, instead));
  }

  /**
   * The key in quotes for sentences, or {@code this} if it is long, came from a variable, or looks
   * like a secret.
   */
  String quotedKey(ScalarNode key) {
    boolean isWritten =
        text.substitutions().stream().noneMatch(it -> it.overlaps(start(key), end(key)));
    return isWritten
            && key.getValue().length() <= YamlValue.NAME_LENGTH_MAX
            && !Scrubber.BUILT_IN.looksSecret(key.getValue())
        ? "'" + key.getValue() + "'"
        : "this";
  }

  boolean hasNoMistakes() {
    return mistakes.isEmpty();
  }

  List<Mistake> mistakes() {
    return inOrder(mistakes);
  }

  List<Mistake> warnings() {
    return inOrder(warnings);
  }

  List<Range> secrets() {
    return secrets.stream().sorted(Comparator.comparingInt(Range::start)).toList();
  }

  static int start(Node node) {
    return node.getStartMark().getIndex();
  }

  static int end(Node node) {
    return node.getEndMark().getIndex();
  }

  private Finding finding(int index, String sentence) {
    int origin = text.origin(index);
    return new Finding(origin, at(origin, sentence));
  }

  private Mistake at(int origin, String sentence) {
    TextPositions.Place place = text.place(origin);
    return new Mistake(file, place.line(), place.column(), sentence);
  }

  private static List<Mistake> inOrder(List<Finding> findings) {
    return findings.stream()
        .sorted(Comparator.comparingInt(Finding::index))
        .map(Finding::mistake)
        .distinct()
        .toList();
  }
}
