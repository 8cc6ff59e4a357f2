package gatebook.command.rules.file;

import gatebook.command.redact.Scrubber;
import gatebook.command.rules.SourceProgram;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** Reads the program of a source: its command, environment and directory. */
final class ProgramReader {

  static final String COMMAND = "command";

  /** Keys that have a meaning only beside {@link #COMMAND}. */
  static final List<String> OPTIONAL_KEYS = List.of("environment", "directory");

  private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,127}");

  /** The longest argument or value of a variable: operating systems accept no longer ones. */
  private static final int LENGTH_MAX = 1 << 16;

  private ProgramReader() {}

  static SourceProgram read(YamlValue command, StrictMapping strictMapping) {
    return new SourceProgram(
        command(command),
        strictMapping.get("environment").map(ProgramReader::environment).orElse(Map.of()),
        strictMapping.get("directory").flatMap(it -> it.pathFromRoot("/srv/files")).orElse(null));
  }

  private static List<String> command(YamlValue yamlValue) {
    return yamlValue.node() instanceof SequenceNode ? list(yamlValue) : line(yamlValue);
  }

  private static List<String> list(YamlValue yamlValue) {
    if (yamlValue.isEmptyList()) {
      yamlValue.mistake("must name a program, as in [node, server.js]");
    }
    List<YamlValue> items = yamlValue.items();
    items.forEach(ProgramReader::maskIfSecret);
    items.stream().limit(1).forEach(program -> word(program, program.text()));
    return items.stream().flatMap(item -> word(item, item.anyText()).stream()).toList();
  }

  private static Optional<String> word(YamlValue item, Optional<String> text) {
    if (text.filter(it -> !isPassable(it)).isPresent()) {
      item.mistake("must be at most %d characters, none of them NUL".formatted(LENGTH_MAX));
    }
    return text;
  }

  private static List<String> line(YamlValue yamlValue) {
    maskIfSecret(yamlValue);
    Optional<String> text = word(yamlValue, yamlValue.text());
    Optional<List<String>> words = text.flatMap(CommandLine::words);
    if (text.isPresent() && words.isEmpty()) {
      yamlValue.mistake("has a quotation mark without its other: close it, or write a list");
    }
    return words.orElse(List.of());
  }

  /** Masks a value that came from a variable or looks like a secret. */
  private static void maskIfSecret(YamlValue yamlValue) {
    int start = MistakeReport.start(yamlValue.node());
    int end = MistakeReport.end(yamlValue.node());
    boolean isFilled =
        yamlValue.report().text().substitutions().stream()
            .anyMatch(substitution -> substitution.overlaps(start, end));
    if (isFilled || Scrubber.BUILT_IN.looksSecret(yamlValue.report().text().string(start, end))) {
      yamlValue.report().maskSecret(yamlValue.node());
    }
  }

  private static Map<String, String> environment(YamlValue yamlValue) {
    Map<String, String> environment = new HashMap<>();
    yamlValue.entries().forEach((name, variable) -> variable(name, variable, environment));
    return environment;
  }

  private static void variable(String name, YamlValue yamlValue, Map<String, String> environment) {
    yamlValue.report().maskSecret(yamlValue.node());
    Optional<String> text = yamlValue.isMaskedSecret() ? Optional.of("") : yamlValue.anyText();
    if (!VARIABLE.matcher(name).matches()) {
      yamlValue.mistake("is no name of a variable: write letters, digits and '_'");
    } else if (text.filter(it -> !isPassable(it)).isPresent()) {
      yamlValue.mistake("must be at most %d characters, none of them NUL".formatted(LENGTH_MAX));
    } else {
      text.ifPresent(it -> environment.put(name, it));
    }
  }

  private static boolean isPassable(String text) {
    return text.length() <= LENGTH_MAX && text.indexOf('\0') < 0;
  }
}
