package gatebook.command.rules.file;

import gatebook.command.rules.file.FilledText.Spot;
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
 * The structure of a filled text.
 *
 * <p>A variable may give a scalar or a part of one, and nothing else: a value that would begin or
 * end anything is a mistake, so that whoever sets the environment decides about values alone.
 */
final class YamlText {

  private static final int DEPTH_MAX = 50;
  private static final int ALIASES_MAX = 50;
  private static final String STANDARD_TAGS = "tag:yaml.org,2002:";

  private final MistakeReport mistakeReport;
  private final List<ScalarNode> scalars = new ArrayList<>();
  private final Set<Node> seen = Collections.newSetFromMap(new IdentityHashMap<>());

  private YamlText(MistakeReport mistakeReport) {
    this.mistakeReport = mistakeReport;
  }

  /** The root; empty when there is none, which is then a mistake in the report. */
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
      look(root);
      mistakeReport.text().spots().forEach(this::requireInScalar);
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
    options.setCodePointLimit(Integer.MAX_VALUE); // the file's own limit was kept before
    options.setNestingDepthLimit(DEPTH_MAX);
    options.setMaxAliasesForCollections(ALIASES_MAX);
    return options;
  }

  private static int index(MarkedYAMLException e) {
    Mark mark = e.getProblemMark();
    return mark == null ? 0 : mark.getIndex();
  }

  /** What came from a variable is not repeated, not even one word of it. */
  private String sentence(MarkedYAMLException e) {
    int index = index(e);
    return mistakeReport.text().spots().stream()
        .filter(spot -> spot.start() <= index && index <= spot.end())
        .findFirst()
        .map(YamlText::structural)
        .orElseGet(() -> "this is no YAML: " + problem(e));
  }

  /** Some problems are only the second half of a sentence. */
  private static String problem(MarkedYAMLException e) {
    String problem = String.valueOf(e.getProblem());
    String sentence = problem.startsWith("but ") ? e.getContext() + " " + problem : problem;
    return sentence.lines().findFirst().orElse("");
  }

  private static boolean isNothing(Node root) {
    return root instanceof ScalarNode scalar && YamlScalar.of(scalar) == YamlScalar.NOTHING;
  }

  private static String structural(Spot spot) {
    return "the value of %s would change the structure of the file: put quotes around it, or give it another"
        .formatted(spot.variable());
  }

  private void look(Node node) {
    if (!seen.add(node)) {
      return;
    }
    if (!node.getTag().startsWith(STANDARD_TAGS)) {
      mistakeReport.mistake(node, "tags are not used here: leave out what begins with '!'");
    }
    switch (node) {
      case ScalarNode scalar -> scalars.add(scalar);
      case SequenceNode sequence -> sequence.getValue().forEach(this::look);
      case MappingNode mapping -> mapping.getValue().forEach(this::look);
      default -> {} // aliases are resolved
    }
  }

  private void look(NodeTuple entry) {
    look(entry.getKeyNode());
    look(entry.getValueNode());
  }

  private void requireInScalar(Spot spot) {
    boolean isValue =
        scalars.stream()
            .anyMatch(it -> spot.isWithin(MistakeReport.start(it), MistakeReport.end(it)));
    if (isValue || spot.start() == spot.end() || !spot.known()) {
      return;
    }
    if (isInComment(spot)) {
      mistakeReport.secret(spot.start(), spot.end(), "${" + spot.variable() + "}");
    } else {
      mistakeReport.mistake(spot.start(), structural(spot));
    }
  }

  /** Whether a comment that nobody's value began is before this in its line. */
  private boolean isInComment(Spot spot) {
    FilledText text = mistakeReport.text();
    for (int i = spot.start() - 1; i >= 0 && text.at(i) != '\n' && text.at(i) != '\r'; i--) {
      if (text.at(i) == '#' && isWritten(i)) {
        return true;
      }
    }
    return false;
  }

  private boolean isWritten(int index) {
    return scalars.stream()
            .noneMatch(it -> MistakeReport.start(it) <= index && index < MistakeReport.end(it))
        && mistakeReport.text().spots().stream().noneMatch(it -> it.meets(index, index + 1));
  }
}
