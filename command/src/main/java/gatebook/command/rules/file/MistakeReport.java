package gatebook.command.rules.file;

import gatebook.events.RulesRejected.Mistake;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;

/**
 * What is found while one rules file is read. A sentence never repeats a value, which may be
 * secret; the place says which one is meant.
 */
final class MistakeReport {

  /** What is written where a whole value was secret. */
  private static final String REDACTED = "[REDACTED]";

  private final String file;
  private final FilledText text;
  private final boolean isRecorded;
  private final List<Finding> mistakes = new ArrayList<>();
  private final List<Finding> warnings = new ArrayList<>();
  private final List<Range> secrets = new ArrayList<>();

  private record Finding(int index, Mistake mistake) {}

  /** Part of the text that is never kept, with what is written in its stead. */
  record Range(int start, int end, String instead) {}

  MistakeReport(String file, FilledText text) {
    this(file, text, false);
  }

  private MistakeReport(String file, FilledText text, boolean isRecorded) {
    this.file = file;
    this.text = text;
    this.isRecorded = isRecorded;
  }

  /** Of a text as the journal has it: filled before, and without its secrets. */
  static MistakeReport ofRecorded(String file, String text) {
    return new MistakeReport(file, VariableSubstitution.asItIs(text), true);
  }

  /** Whether something secret stood here when the text was recorded, and nobody knows what. */
  boolean isForgotten(Node node) {
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

  void mistake(int index, String sentence) {
    mistakes.add(finding(index, sentence));
  }

  void flaw(FilledText.Flaw flaw) {
    mistakes.add(new Finding(flaw.index(), at(flaw.index(), flaw.sentence())));
  }

  void secret(Node node) {
    secret(start(node), end(node), '"' + REDACTED + '"');
  }

  void secret(int start, int end, String instead) {
    secrets.add(new Range(start, end, instead));
  }

  /** How sentences call a key that was chosen by whoever wrote the file. */
  String written(ScalarNode key) {
    boolean isWritten = text.spots().stream().noneMatch(it -> it.meets(start(key), end(key)));
    return isWritten && key.getValue().length() <= YamlValue.NAME_LENGTH_MAX
        ? "'" + key.getValue() + "'"
        : "this";
  }

  boolean isFlawless() {
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
