package gatebook.command.rules.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.command.rules.Rules;
import gatebook.command.rules.file.RulesFile.Reading;
import gatebook.events.RulesRejected.Mistake;
import java.io.ByteArrayInputStream;
import java.nio.file.NoSuchFileException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Builds the rules of a test in memory. */
final class GivenRules {

  static final String MINIMAL =
      """
      schema: 1
      sources: [{id: demo, kind: demo}]
      governance: {defaults: {action: deny}}
      """;

  private final Map<String, byte[]> files = new HashMap<>();
  private final Map<String, String> environment = new HashMap<>();

  static GivenRules rules(String text) {
    return new GivenRules().file("rules.yaml", text);
  }

  GivenRules file(String name, String text) {
    return file(name, text.getBytes(UTF_8));
  }

  GivenRules file(String name, byte[] bytes) {
    files.put(name, bytes);
    return this;
  }

  GivenRules variable(String name, String value) {
    environment.put(name, value);
    return this;
  }

  Reading read() {
    return new RulesFile("rules.yaml", this::open, environment, Set.of("secrets")).read();
  }

  Reading.Valid valid() {
    return switch (read()) {
      case Reading.Valid valid -> valid;
      case Reading.Broken broken -> throw new AssertionError(broken.mistakes().toString());
    };
  }

  Rules rules() {
    return valid().rules();
  }

  /** The mistakes as lines of {@code line:column sentence}. */
  List<String> mistakes() {
    return switch (read()) {
      case Reading.Valid _ -> List.of();
      case Reading.Broken broken -> lines(broken.mistakes());
    };
  }

  List<String> warnings() {
    return lines(read().warnings());
  }

  private static List<String> lines(List<Mistake> mistakes) {
    return mistakes.stream()
        .map(it ->
            it.line() == null
                ? it.message()
                : "%d:%d %s".formatted(it.line(), it.column(), it.message()))
        .toList();
  }

  private ByteArrayInputStream open(String name) throws NoSuchFileException {
    byte[] bytes = files.get(name);
    if (bytes == null) {
      throw new NoSuchFileException(name);
    }
    return new ByteArrayInputStream(bytes);
  }
}
