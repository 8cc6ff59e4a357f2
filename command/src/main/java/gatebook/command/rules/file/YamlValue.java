package gatebook.command.rules.file;

import java.math.BigDecimal;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * A YAML value and its name in sentences. Reading it as a type that it does not have reports a
 * mistake and returns nothing.
 */
record YamlValue(String name, Node node, MistakeReport report) {

  /** The longest name of a person, source, workflow and the like, in characters. */
  static final int NAME_LENGTH_MAX = 128;

  void mistake(String sentence) {
    report.mistake(node, name + " " + sentence);
  }

  void warning(String sentence) {
    report.warning(node, name + " " + sentence);
  }

  /** Whether a secret was here that the journal does not contain. */
  boolean isMaskedSecret() {
    return report.isMaskedSecret(node);
  }

  /** The value as a mapping with these keys and no others. */
  Optional<StrictMapping> keys(String... known) {
    return keys(List.of(known));
  }

  Optional<StrictMapping> keys(List<String> known) {
    return mapping().map(mapping -> StrictMapping.read(this, mapping, known));
  }

  /** The value as a mapping with keys that the operator chose, each unique. */
  Map<String, YamlValue> entries() {
    Map<String, YamlValue> values = new LinkedHashMap<>();
    mapping().map(MappingNode::getValue).orElse(List.of()).forEach(it -> entries(it, values));
    return values;
  }

  private void entries(NodeTuple entry, Map<String, YamlValue> values) {
    YamlValue key = new YamlValue("a key of " + name, entry.getKeyNode(), report);
    if (key.text().isPresent() && key.node() instanceof ScalarNode scalar) {
      String written = report.quotedKey(scalar);
      YamlValue yamlValue = new YamlValue(written, entry.getValueNode(), report);
      if (values.putIfAbsent(scalar.getValue(), yamlValue) != null) {
        report.mistake(scalar, written + " is there twice: keep one");
      }
    }
  }

  private Optional<MappingNode> mapping() {
    if (node instanceof MappingNode mapping) {
      return Optional.of(mapping);
    }
    mistake("must be keys and values, as in 'key: value'");
    return Optional.empty();
  }

  List<YamlValue> items() {
    if (node instanceof SequenceNode sequence) {
      return sequence.getValue().stream()
          .map(item -> new YamlValue("an item of " + name, item, report))
          .toList();
    }
    mistake("must be a list, as in [a, b]");
    return List.of();
  }

  boolean isList() {
    return node instanceof SequenceNode;
  }

  boolean isEmptyList() {
    return node instanceof SequenceNode sequence && sequence.getValue().isEmpty();
  }

  /** The value as a list of texts. */
  List<String> texts() {
    List<String> texts = new ArrayList<>();
    items().forEach(item -> item.text().ifPresent(texts::add));
    return texts;
  }

  /** The value as a text that is not blank. */
  Optional<String> text() {
    Optional<String> text = anyText();
    if (text.isPresent() && text.get().isBlank()) {
      mistake("must not be empty");
      return Optional.empty();
    }
    return text;
  }

  /** The value as a name: one line without blanks around it, of limited length. */
  Optional<String> label() {
    Optional<String> text = text();
    if (text.isPresent()
        && (text.get().length() > NAME_LENGTH_MAX
            || !text.get().equals(text.get().strip())
            || text.get().codePoints().anyMatch(Character::isISOControl))) {
      mistake(
          "must be at most %d characters, without line breaks or blanks around it"
              .formatted(NAME_LENGTH_MAX));
      return Optional.empty();
    }
    return text;
  }

  Optional<String> anyText() {
    if (!(node instanceof ScalarNode scalar)) {
      mistake("must be text");
      return Optional.empty();
    }
    if (YamlScalar.of(scalar) != YamlScalar.TEXT) {
      mistake("must be text: put quotes around it");
      return Optional.empty();
    }
    return Optional.of(scalar.getValue());
  }

  /** The value as a path that begins at the root. */
  Optional<Path> pathFromRoot(String example) {
    Optional<String> text = text();
    Optional<Path> path = text.flatMap(YamlValue::path).filter(Path::isAbsolute);
    if (text.isPresent() && path.isEmpty()) {
      mistake("must be a path from the root, as in " + example);
    }
    return path;
  }

  private static Optional<Path> path(String text) {
    try {
      return Optional.of(Path.of(text));
    } catch (InvalidPathException _) {
      return Optional.empty();
    }
  }

  Optional<Boolean> bool() {
    if (node instanceof ScalarNode scalar && YamlScalar.of(scalar) == YamlScalar.FLAG) {
      return Optional.of(scalar.getValue().equalsIgnoreCase("true"));
    }
    mistake("must be true or false");
    return Optional.empty();
  }

  OptionalLong integer(long least, long most) {
    Optional<Long> number = number().map(text -> text.replace("_", "")).flatMap(YamlValue::integer);
    if (number.isPresent() && least <= number.get() && number.get() <= most) {
      return OptionalLong.of(number.get());
    }
    mistake("must be a whole number from %d to %d".formatted(least, most));
    return OptionalLong.empty();
  }

  private static Optional<Long> integer(String text) {
    return text.matches("\\d{1,18}") ? Optional.of(Long.parseLong(text)) : Optional.empty();
  }

  /** Checks that the value is a number from 0 to 1. */
  void requireFraction() {
    Optional<BigDecimal> number =
        number().filter(text -> text.matches("[\\d.]{1,20}")).flatMap(YamlValue::decimal);
    if (number.isEmpty() || number.get().compareTo(BigDecimal.ONE) > 0) {
      mistake("must be a number from 0 to 1, as in 0.1");
    }
  }

  private static Optional<BigDecimal> decimal(String text) {
    try {
      return Optional.of(new BigDecimal(text));
    } catch (NumberFormatException _) {
      return Optional.empty();
    }
  }

  private Optional<String> number() {
    return node instanceof ScalarNode scalar && YamlScalar.of(scalar) == YamlScalar.NUMBER
        ? Optional.of(scalar.getValue())
        : Optional.empty();
  }

  OptionalLong millis(Duration least, Duration most) {
    Optional<Duration> duration =
        node instanceof ScalarNode scalar
            ? DurationText.parse(scalar.getValue())
            : Optional.empty();
    if (duration.isEmpty()) {
      mistake("must be a duration with its unit, as in 30s, 10m or PT10M");
    } else if (duration.get().compareTo(least) < 0 || duration.get().compareTo(most) > 0) {
      mistake(
          "must be from %s to %s".formatted(DurationText.format(least), DurationText.format(most)));
    } else {
      return OptionalLong.of(duration.get().toMillis());
    }
    return OptionalLong.empty();
  }

  /** The meaning of the value as one of these words. */
  <T> Optional<T> oneOf(Map<String, T> words) {
    Optional<T> found =
        node instanceof ScalarNode scalar
            ? Optional.ofNullable(words.get(scalar.getValue()))
            : Optional.empty();
    if (found.isEmpty()) {
      mistake("must be " + listed(words.keySet(), "or"));
    }
    return found;
  }

  /** {@code a, b or c}. */
  static String listed(Iterable<String> words, String last) {
    String joined = String.join(", ", words);
    int comma = joined.lastIndexOf(", ");
    return comma < 0
        ? joined
        : joined.substring(0, comma) + " " + last + joined.substring(comma + 1);
  }
}
