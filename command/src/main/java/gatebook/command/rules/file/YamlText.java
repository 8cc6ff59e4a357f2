package gatebook.command.rules.file;

import gatebook.command.rules.file.FilledText.Substitution;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.reader.ReaderException;

/**
 * Parses a filled text as YAML.
 *
 * <p>A variable may only supply a scalar or a part of one. A value that would begin or end any
 * other node is a mistake, so that the environment controls values and never structure.
 */
final class YamlText {

  private static final int DEPTH_MAX = 50;
  private static final int ALIASES_MAX = 50;
  private static final String STANDARD_TAGS = "tag:yaml.org,2002:";

  private final MistakeReport mistakeReport;
  private final List<ScalarNode> scalars = new ArrayList<>();
  private final Set<Node> visited = Collections.newSetFromMap(new IdentityHashMap<>());

  private YamlText(MistakeReport mistakeReport) {
    this.mistakeReport = mistakeReport;
  }

  /** The root node; empty after a mistake, which is in the report. */
  static Optional<Node> compose(MistakeReport mistakeReport) {
    return new YamlText(mistakeReport).compose();
  }

  private Optional<Node> compose() {
    try {
      Node root = new org.yaml.snakeyaml.Yaml(options()).compose(reader());
      if (root == null || isNothing(root)) {
        mistakeReport.mistake(0, RulesFile.EMPTY);
        return Optional.empty();
      }
      collect(root);
      mistakeReport.text().substitutions().forEach(this::requireInScalar);
      return Optional.of(root);
    } catch (MarkedYAMLException e) {
      mistakeReport.mistake(index(e), sentence(e));
    } catch (ReaderException e) {
      mistakeReport.mistake(
          e.getPosition(), "this character cannot be in YAML: remove it, or write it as an escape");
    } catch (YAMLException _) {
      mistakeReport.mistake(
          0,
          "this file has more than %d levels, or more than %d aliases of lists and mappings: write them out"
              .formatted(DEPTH_MAX, ALIASES_MAX));
    }
    return Optional.empty();
  }

  private StringReader reader() {
    return new StringReader(mistakeReport.text().string());
  }

  private static LoaderOptions options() {
    LoaderOptions options = new LoaderOptions();
    options.setCodePointLimit(Integer.MAX_VALUE); // the file's size was checked before
    options.setNestingDepthLimit(DEPTH_MAX);
    options.setMaxAliasesForCollections(ALIASES_MAX);
    return options;
  }

  private static int index(MarkedYAMLException e) {
    Mark mark = e.getProblemMark();
    return mark == null ? 0 : mark.getIndex();
  }

  /** The parser's message, unless it may quote the value of a variable. */
  private String sentence(MarkedYAMLException e) {
    int index = index(e);
    return mistakeReport.text().substitutions().stream()
        .filter(substitution -> substitution.start() <= index && index <= substitution.end())
        .findFirst()
        .map(YamlText::structureMistake)
        .orElseGet(() -> "this is no YAML: " + problem(e));
  }

  /** The problem in one line; one that starts with "but" continues its context. */
  private static String problem(MarkedYAMLException e) {
    String problem = String.valueOf(e.getProblem());
    String sentence = problem.startsWith("but ") ? e.getContext() + " " + problem : problem;
    return sentence.lines().findFirst().orElse("");
  }

  private static boolean isNothing(Node root) {
    return root instanceof ScalarNode scalar && YamlScalar.of(scalar) == YamlScalar.NOTHING;
  }

  private static String structureMistake(Substitution substitution) {
    return "the value of %s would change the structure of the file: put quotes around it, or give it another"
        .formatted(substitution.variable());
  }

  private void collect(Node node) {
    if (!visited.add(node)) {
      return;
    }
    if (!node.getTag().startsWith(STANDARD_TAGS)) {
      mistakeReport.mistake(node, "tags are not used here: leave out what begins with '!'");
    }
    switch (node) {
      case ScalarNode scalar -> scalars.add(scalar);
      case SequenceNode sequence -> sequence.getValue().forEach(this::collect);
      case MappingNode mapping -> mapping.getValue().forEach(this::collect);
      default -> {} // aliases are resolved
    }
  }

  private void collect(NodeTuple entry) {
    collect(entry.getKeyNode());
    collect(entry.getValueNode());
  }

  private void requireInScalar(Substitution substitution) {
    boolean isValue =
        scalars.stream()
            .anyMatch(it -> substitution.isWithin(MistakeReport.start(it), MistakeReport.end(it)));
    if (isValue || substitution.start() == substitution.end() || !substitution.hasValue()) {
      return;
    }
    if (isInComment(substitution)) {
      mistakeReport.maskSecret(
          substitution.start(), substitution.end(), "${" + substitution.variable() + "}");
    } else {
      mistakeReport.mistake(substitution.start(), structureMistake(substitution));
    }
  }

  /** Whether a literal {@code #}, not one from a variable, begins a comment before it. */
  private boolean isInComment(Substitution substitution) {
    FilledText text = mistakeReport.text();
    for (int i = substitution.start() - 1;
        i >= 0 && text.codePointAt(i) != '\n' && text.codePointAt(i) != '\r';
        i--) {
      if (text.codePointAt(i) == '#' && isLiteral(i)) {
        return true;
      }
    }
    return false;
  }

  private boolean isLiteral(int index) {
    return scalars.stream()
            .noneMatch(it -> MistakeReport.start(it) <= index && index < MistakeReport.end(it))
        && mistakeReport.text().substitutions().stream()
            .noneMatch(it -> it.overlaps(index, index + 1));
  }
}
