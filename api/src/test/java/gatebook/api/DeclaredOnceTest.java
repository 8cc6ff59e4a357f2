package gatebook.api;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.upstream.mcp.McpMethod;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the main sources declare in one place only: the names of MCP methods. */
final class DeclaredOnceTest {

  private static final Path MAIN =
      Path.of(Objects.requireNonNull(System.getProperty("gatebook.root")), "api/src/main/java");

  /** Files with the name of an MCP method as text, and why. */
  private static final Map<String, String> METHOD_TEXTS =
      Map.of(
          "BuiltInMethods", "the daemon dialect has an initialize of its own",
          "StartBanner", "it prints a command for a shell");

  private record Source(String typeName, String text) {}

  @Test
  void mcpMethodNamesAreInOneFile() {
    Pattern literal = methodLiteral();

    assertThat(sources())
        .filteredOn(source -> literal.matcher(source.text).find())
        .extracting(Source::typeName)
        .containsExactlyInAnyOrderElementsOf(
            Stream.concat(
                    Stream.of(McpMethod.class.getSimpleName()), METHOD_TEXTS.keySet().stream())
                .toList());
  }

  /** A name on the list, or one that begins like those on the list. */
  private static Pattern methodLiteral() {
    List<String> names = methodNames().toList();
    String families =
        names.stream()
            .filter(name -> name.contains("/"))
            .map(name -> name.substring(0, name.indexOf('/')))
            .distinct()
            .collect(joining("|"));
    return Pattern.compile(
        "\"(?:%s|(?:%s)/[\\w/]*)\\\\?\""
            .formatted(names.stream().map(Pattern::quote).collect(joining("|")), families));
  }

  private static Stream<String> methodNames() {
    return Stream.of(McpMethod.class.getDeclaredFields())
        .filter(field -> Modifier.isPublic(field.getModifiers()))
        .map(DeclaredOnceTest::constant);
  }

  private static String constant(Field field) {
    try {
      return (String) field.get(null);
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }

  private static List<Source> sources() {
    try (Stream<Path> files = Files.walk(MAIN)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .map(file -> new Source(file.getFileName().toString().replace(".java", ""), read(file)))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
