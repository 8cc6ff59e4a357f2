package gatebook.command.rules.file;

import java.util.regex.Pattern;
import org.yaml.snakeyaml.nodes.ScalarNode;

/** The type of a scalar in YAML 1.2's core schema, in which {@code on} and {@code no} are texts. */
enum YamlScalar {
  NOTHING,
  FLAG,
  NUMBER,
  TEXT;

  private static final Pattern NOTHINGS = Pattern.compile("|~|null|Null|NULL");
  private static final Pattern FLAGS = Pattern.compile("true|True|TRUE|false|False|FALSE");
  private static final Pattern NUMBERS =
      Pattern.compile(
          "[-+]?\\d[\\d_]*|0o[0-7]+|0x[\\da-fA-F]+|[-+]?(?:\\.\\d+|\\d+(?:\\.\\d*)?)(?:[eE][-+]?\\d+)?"
              + "|[-+]?\\.(?:inf|Inf|INF)|\\.(?:nan|NaN|NAN)");

  static YamlScalar of(ScalarNode node) {
    String value = node.getValue();
    if (!node.isPlain()) {
      return TEXT;
    }
    if (NOTHINGS.matcher(value).matches()) {
      return NOTHING;
    }
    if (FLAGS.matcher(value).matches()) {
      return FLAG;
    }
    return NUMBERS.matcher(value).matches() ? NUMBER : TEXT;
  }
}
