package gatebook.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The documents of the repository: length and links. */
final class DocumentsTest {

  private static final Path HOME =
      Path.of(Objects.requireNonNull(System.getProperty("gatebook.root")));
  private static final int README_LINES_MAX = 250;
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
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
