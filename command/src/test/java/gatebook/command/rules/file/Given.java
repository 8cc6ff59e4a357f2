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

/** Rules of a test, in memory. */
final class Given {

  static final String LEAST =
      """
      schema: 1
      sources: [{id: demo, kind: demo}]
      governance: {defaults: {action: deny}}
      """;

  private final Map<String, byte[]> files = new HashMap<>();
  private final Map<String, String> environment = new HashMap<>();

  static Given rules(String text) {
    return new Given().file("rules.yaml", text);
  }

  Given file(String name, String text) {
    return file(name, text.getBytes(UTF_8));
  }

  Given file(String name, byte[] bytes) {
    files.put(name, bytes);
    return this;
  }

  Given variable(String name, String value) {
    environment.put(name, value);
    return this;
  }

  Reading read() {
    return new RulesFile("rules.yaml", this::open, environment, Set.of("secrets")).read();
  }

  Reading.Read taken() {
    return switch (read()) {
      case Reading.Read read -> read;
      case Reading.Broken broken -> throw new AssertionError(broken.mistakes().toString());
    };
  }

  Rules rules() {
    return taken().rules();
  }

  /** The mistakes as lines of {@code line:column sentence}. */
  List<String> mistakes() {
    return switch (read()) {
      case Reading.Read _ -> List.of();
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
