package gatebook.command.rules.file;

import gatebook.command.redact.Scrubber;
import gatebook.command.rules.Program;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** Reads what a source by command is started with. */
final class ProgramReader {

  static final String COMMAND = "command";

  /** What says something of the program, and nothing without one. */
  static final List<String> BESIDE = List.of("environment", "directory");

  private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,127}");

  /** What the command and one value may be as long as: an operating system takes no more. */
  private static final int LENGTH_MAX = 1 << 16;

  private ProgramReader() {}

  static Program read(Value command, Keys keys) {
    return new Program(
        command(command),
        keys.get("environment").map(ProgramReader::environment).orElse(Map.of()),
        keys.get("directory").flatMap(ProgramReader::directory).orElse(null));
  }

  private static List<String> command(Value value) {
    return value.node() instanceof SequenceNode ? list(value) : line(value);
  }

  private static List<String> list(Value value) {
    if (value.isEmptyList()) {
      value.mistake("must name a program, as in [node, server.js]");
    }
    List<Value> items = value.items();
    items.forEach(ProgramReader::hide);
    items.stream().limit(1).forEach(program -> word(program, program.text()));
    return items.stream().flatMap(item -> word(item, item.anyText()).stream()).toList();
  }

  private static Optional<String> word(Value item, Optional<String> text) {
    if (text.filter(it -> !isStartable(it)).isPresent()) {
      item.mistake("must be at most %d characters, none of them NUL".formatted(LENGTH_MAX));
    }
    return text;
  }

  private static List<String> line(Value value) {
    hide(value);
    Optional<String> text = word(value, value.text());
    Optional<List<String>> words = text.flatMap(CommandLine::words);
    if (text.isPresent() && words.isEmpty()) {
      value.mistake("has a quotation mark without its other: close it, or write a list");
    }
    return words.orElse(List.of());
  }

  /** Whatever came from a variable, or looks like it, may be a secret. */
  private static void hide(Value value) {
    int start = Report.start(value.node());
    int end = Report.end(value.node());
    boolean isFilled =
        value.report().text().spots().stream().anyMatch(spot -> spot.meets(start, end));
    if (isFilled || Scrubber.BUILT_IN.looksSecret(value.report().text().string(start, end))) {
      value.report().secret(value.node());
    }
  }

  private static Map<String, String> environment(Value value) {
    Map<String, String> environment = new HashMap<>();
    value.named().forEach((name, variable) -> variable(name, variable, environment));
    return environment;
  }

  private static void variable(String name, Value value, Map<String, String> environment) {
    value.report().secret(value.node());
    Optional<String> text = value.isForgotten() ? Optional.of("") : value.anyText();
    if (!VARIABLE.matcher(name).matches()) {
      value.mistake("is no name of a variable: write letters, digits and '_'");
    } else if (text.filter(it -> !isStartable(it)).isPresent()) {
      value.mistake("must be at most %d characters, none of them NUL".formatted(LENGTH_MAX));
    } else {
      text.ifPresent(it -> environment.put(name, it));
    }
  }

  private static Optional<Path> directory(Value value) {
    Optional<String> text = value.text();
    Optional<Path> path = text.flatMap(ProgramReader::path).filter(Path::isAbsolute);
    if (text.isPresent() && path.isEmpty()) {
      value.mistake("must be a path from the root, as in /srv/files");
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

  private static boolean isStartable(String text) {
    return text.length() <= LENGTH_MAX && text.indexOf('\0') < 0;
  }
}
