package gatebook.command.rules.file;

import java.util.Optional;
import java.util.stream.Stream;
import org.yaml.snakeyaml.DumperOptions.FlowStyle;
import org.yaml.snakeyaml.nodes.CollectionNode;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * One governance rule as the text of the rules writes it.
 *
 * @param line where it begins, counted from 1
 * @param text its whole lines, or less where other parts of the text share these lines
 */
public record RuleExcerpt(int line, String text) {

  /**
   * Finds a rule in a recorded text.
   *
   * @param place the number of the rule, counted from 1
   * @return empty when the text has no such rule
   */
  public static Optional<RuleExcerpt> find(String recorded, int place) {
    MistakeReport mistakeReport = MistakeReport.ofRecorded("", recorded);
    return YamlText.compose(mistakeReport)
        .flatMap(root -> member(root, "governance"))
        .flatMap(governance -> member(governance, "rules"))
        .flatMap(rules -> item(rules, place))
        .map(rule -> of(mistakeReport.text(), rule));
  }

  private static Optional<Node> member(Node node, String name) {
    return node instanceof MappingNode mapping
        ? mapping.getValue().stream()
            .filter(it -> it.getKeyNode() instanceof ScalarNode key && key.getValue().equals(name))
            .map(it -> it.getValueNode())
            .findFirst()
        : Optional.empty();
  }

  private static Optional<Node> item(Node node, int place) {
    return node instanceof SequenceNode sequence
            && 1 <= place
            && place <= sequence.getValue().size()
        ? Optional.of(sequence.getValue().get(place - 1))
        : Optional.empty();
  }

  private static RuleExcerpt of(FilledText text, Node rule) {
    int start = MistakeReport.start(rule);
    int lineStart = lineStart(text, start);
    boolean beginsLine = text.string(lineStart, start).chars().allMatch(RuleExcerpt::isIndent);
    int from = beginsLine ? lineStart : start;
    int end = withoutBlanks(text, start, lastContent(rule));
    int lineEnd = lineEnd(text, end);
    boolean endsLine = !isFlow(rule) || text.string(end, lineEnd).matches("[ \\t]*(#.*)?");
    return new RuleExcerpt(
        text.place(text.origin(from)).line(),
        text.string(from, beginsLine && endsLine ? lineEnd : end));
  }

  private static boolean isIndent(int character) {
    return character == ' ' || character == '-' || character == '\t';
  }

  private static boolean isFlow(Node node) {
    return !(node instanceof CollectionNode<?> collection)
        || collection.getFlowStyle() == FlowStyle.FLOW;
  }

  /**
   * The index after the last character of a node. A block ends for the parser only where the next
   * one begins, so its content says where it ends. Aliases are written elsewhere.
   */
  private static int lastContent(Node node) {
    if (isFlow(node)) {
      return MistakeReport.end(node);
    }
    return children(node)
        .filter(child -> isInside(child, node))
        .mapToInt(RuleExcerpt::lastContent)
        .max()
        .orElse(MistakeReport.start(node));
  }

  private static Stream<Node> children(Node node) {
    return switch (node) {
      case SequenceNode sequence -> sequence.getValue().stream();
      case MappingNode mapping ->
          mapping.getValue().stream().flatMap(it -> Stream.of(it.getKeyNode(), it.getValueNode()));
      default -> Stream.empty();
    };
  }

  private static boolean isInside(Node child, Node node) {
    int start = MistakeReport.start(node);
    int end = MistakeReport.end(node);
    int childStart = MistakeReport.start(child);
    int childEnd = MistakeReport.end(child);
    return start <= childStart && childEnd <= end && (start < childStart || childEnd < end);
  }

  private static int withoutBlanks(FilledText text, int from, int to) {
    int end = to;
    while (end > from && Character.isWhitespace(text.codePointAt(end - 1))) {
      end--;
    }
    return end;
  }

  private static int lineStart(FilledText text, int index) {
    int start = index;
    while (start > 0 && !isBreak(text.codePointAt(start - 1))) {
      start--;
    }
    return start;
  }

  private static int lineEnd(FilledText text, int index) {
    int end = index;
    while (end < text.length() && !isBreak(text.codePointAt(end))) {
      end++;
    }
    return end;
  }

  private static boolean isBreak(int character) {
    return character == '\n' || character == '\r';
  }
}
