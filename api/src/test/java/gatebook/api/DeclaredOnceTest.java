package gatebook.api;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;
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
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the main sources declare once: the names of MCP methods and command-line options. */
final class DeclaredOnceTest {

  private static final Path MAIN =
      Path.of(Objects.requireNonNull(System.getProperty("gatebook.root")), "api/src/main/java");

  /** Files with the name of an MCP method as text, and why. */
  private static final Map<String, String> METHOD_TEXTS =
      Map.of(
          "A2aMethod", "A2A has methods about tasks of its own",
          "BuiltInMethods", "the daemon dialect has an initialize of its own",
          "StartBanner", "it prints a command for a shell");

  /** Names of options with more than one meaning, and which. */
  private static final Map<String, String> AMBIGUOUS_OPTIONS =
      Map.ofEntries(
          Map.entry("--name", "serve names its host, and tail names an event"),
          Map.entry("--by", "denials have other members to be grouped by than errors"),
          Map.entry("--principal", "forget names whose content goes, others whose calls they show"),
          Map.entry("--reason", "forget requires it, a decision may have one"),
          Map.entry("--since", "forget takes days, others times"),
          Map.entry("--until", "forget takes days, restore also positions, others times"),
          Map.entry("--against", "restore takes one checkpoint, verify any number"),
          Map.entry("--config", "whatif reads a candidate, a node its rules"),
          Map.entry("-o", "prove requires it, whatif may have it"),
          Map.entry("--output", "as -o"),
          Map.entry("--from", "replay takes a position or a time, prove a checkpoint"));

  private static final Pattern OPTION =
      Pattern.compile("@Option\\([^@]*?\\bnames = (\\{[^}]*}|\"[^\"]*\")");
  private static final Pattern OPTION_NAME = Pattern.compile("\"(-[^\"]*)\"");

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

  @Test
  void optionsAreDeclaredOnce() {
    Map<String, List<String>> declaring =
        sources().stream()
            .flatMap(source -> optionNames(source).map(name -> Map.entry(name, source.typeName)))
            .collect(
                groupingBy(
                    Map.Entry::getKey, TreeMap::new, mapping(Map.Entry::getValue, toList())));

    assertThat(declaring).hasSizeGreaterThan(30);
    assertThat(declaring.entrySet())
        .filteredOn(option -> option.getValue().size() > 1)
        .extracting(Map.Entry::getKey)
        .containsExactlyInAnyOrderElementsOf(AMBIGUOUS_OPTIONS.keySet());
  }

  private static Stream<String> optionNames(Source source) {
    return OPTION
        .matcher(source.text)
        .results()
        .flatMap(option -> OPTION_NAME.matcher(option.group(1)).results())
        .map(name -> name.group(1));
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
