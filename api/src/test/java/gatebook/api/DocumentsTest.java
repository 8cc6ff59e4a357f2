package gatebook.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The documents of the repository: length and links. */
final class DocumentsTest {

  private static final Path HOME =
      Path.of(Objects.requireNonNull(System.getProperty("gatebook.root")));
  private static final int README_LINES_MAX = 250;
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");

  /** The name of a type in a document. */
  private static final Pattern CODE = Pattern.compile("`([A-Z][a-z]\\w*(?:\\.[A-Z]\\w*)*)`");

  /** A name of two words at least: one word may be anything. */
  private static final Pattern WORDS = Pattern.compile("\\w+\\.\\w+|[A-Z][a-z]+[A-Z]\\w*");

  private static final Pattern DECLARED =
      Pattern.compile("(?:class|record|interface|enum) ([A-Z]\\w*)");

  private static final List<String> NOT_DOCUMENTS = List.of("node_modules", "target", ".git");

  @Test
  void theReadmeIsShort() throws IOException {
    assertThat(Files.readAllLines(HOME.resolve("README.md")))
        .hasSizeLessThanOrEqualTo(README_LINES_MAX);
  }

  @Test
  void everyLinkLeadsToAFile() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path document : documents()) {
      LINK.matcher(Files.readString(document))
          .results()
          .map(link -> link.group(1))
          .filter(link -> !link.contains("://") && !link.startsWith("#"))
          .map(link -> link.replaceAll("#.*", ""))
          .filter(link -> !Files.exists(document.resolveSibling(link)))
          .forEach(link -> broken.add(HOME.relativize(document) + ": " + link));
    }

    assertThat(broken).isEmpty();
  }

  @Test
  void theVersionOfThePomsIsInTheChangelog() throws IOException {
    Matcher version =
        Pattern.compile("<version>([^<]*)</version>")
            .matcher(Files.readString(HOME.resolve("pom.xml")));

    assertThat(version.find()).isTrue();
    assertThat(Files.readAllLines(HOME.resolve("api/CHANGELOG.md")))
        .contains("## " + version.group(1));
  }

  @Test
  void typesNamedInReadmesExist() throws IOException {
    Set<String> types = declaredTypes();
    List<String> unknown = new ArrayList<>();
    for (Path document : documents()) {
      if (document.endsWith("README.md")) {
        CODE.matcher(Files.readString(document))
            .results()
            .map(code -> code.group(1))
            .filter(name -> WORDS.matcher(name).matches())
            .filter(name -> !types.containsAll(List.of(name.split("\\."))))
            .forEach(name -> unknown.add(HOME.relativize(document) + ": " + name));
      }
    }

    assertThat(unknown).isEmpty();
  }

  @Test
  void theTypesOfADeniedCallAreCounted() throws IOException {
    String readme = Files.readString(HOME.resolve("api/README.md"));
    String steps = between("| step | done by | hands on |", "Those are ", readme);

    assertThat(readme)
        .contains("Those are %d types".formatted(names(steps, 2).size() + names(steps, 3).size()))
        .contains("of which %d are data".formatted(names(steps, 3).size()));
  }

  private static String between(String begin, String end, String text) {
    int from = text.indexOf(begin);
    int to = text.indexOf(end, from);
    assertThat(List.of(from, to)).allMatch(index -> index >= 0);
    return text.substring(from, to);
  }

  /** The distinct types in one column of a table. */
  private static Set<String> names(String table, int column) {
    return table
        .lines()
        .filter(line -> line.startsWith("|"))
        .flatMap(row -> CODE.matcher(row.split("\\|", -1)[column]).results())
        .map(code -> code.group(1))
        .collect(Collectors.toSet());
  }

  private static Set<String> declaredTypes() throws IOException {
    try (Stream<Path> files = Files.walk(HOME)) {
      Set<String> types = new HashSet<>();
      for (Path source :
          files
              .filter(file -> file.toString().endsWith(".java"))
              .filter(file -> NOT_DOCUMENTS.stream().noneMatch(file.toString()::contains))
              .toList()) {
        DECLARED.matcher(Files.readString(source)).results().forEach(it -> types.add(it.group(1)));
      }
      return types;
    }
  }

  private static List<Path> documents() throws IOException {
    try (Stream<Path> files = Files.walk(HOME)) {
      List<Path> documents =
          files
              .filter(file -> file.toString().endsWith(".md"))
              .filter(file -> NOT_DOCUMENTS.stream().noneMatch(file.toString()::contains))
              .toList();
      assertThat(documents).hasSizeGreaterThan(10);
      return documents;
    }
  }
}
