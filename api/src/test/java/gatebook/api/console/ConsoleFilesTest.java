package gatebook.api.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Collections.disjoint;
import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The files of the console, and their rules: small, and without inline scripts and styles. */
final class ConsoleFilesTest {
  private static final int COMPRESSED_BYTES_MAX = 300 * 1024;
  private static final Path SOURCES =
      Path.of(System.getProperty("gatebook.root"), "api/src/main/resources/gatebook/api/console");

  /** What the policy of the pages forbids. */
  private static final Pattern INLINE =
      Pattern.compile("(?i)<script(?![^>]* src=)|<style|\\sstyle=|\\son[a-z]+=|javascript:");

  private static final Pattern FOREIGN = Pattern.compile("(?i)(?:src|href)=\"(?:[a-z]+:|//)");

  /** What a module imports, at once or when a page is shown. */
  private static final Pattern IMPORT = Pattern.compile("\\b(?:from|import) ?\\(?'\\./([^']+)'");

  private final ConsoleFiles files = ConsoleFiles.load();

  @Test
  void everyFileOfTheFolderIsServed() throws IOException {
    try (Stream<Path> sources = Files.list(SOURCES)) {
      assertThat(files.assetNames())
          .containsExactlyInAnyOrderElementsOf(
              Stream.concat(
                      sources.map(file -> file.getFileName().toString()),
                      Stream.of("vendor/uPlot.esm.js", "vendor/uPlot.min.css"))
                  .toList());
    }
  }

  @Test
  void filesAreServedAsTheyAre() throws IOException {
    for (String name : files.assetNames()) {
      ConsoleFile file = asset(name);
      if (!name.startsWith("vendor/")) {
        assertThat(file.plain().bytes()).isEqualTo(Files.readAllBytes(SOURCES.resolve(name)));
      }
      if (file.gzip().isPresent()) {
        byte[] compressed = file.gzip().get().bytes();
        assertThat(new GZIPInputStream(new ByteArrayInputStream(compressed)).readAllBytes())
            .isEqualTo(file.plain().bytes());
        assertThat(file.gzip().get().tag()).isNotEqualTo(file.plain().tag());
      }
    }
  }

  @Test
  void allFilesTogetherAreSmall() {
    assertThat(
            files.assetNames().stream()
                .map(this::asset)
                .mapToInt(file -> file.gzip().orElse(file.plain()).bytes().length)
                .sum())
        .isLessThan(COMPRESSED_BYTES_MAX);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/console/calls",
        "/console/call/0192aaaa-0000-7000-8000-00000000abcd",
        "/console/call/a%2Fb",
        "/console/tree/order",
        "/console/denials",
        "/console/errors",
        "/console/live",
        "/console/approvals",
        "/console/rules",
        "/console/node"
      })
  void everyPageIsTheSameFile(String path) {
    assertThat(files.at(path))
        .hasValueSatisfying(file -> {
          assertThat(file.type()).isEqualTo("text/html; charset=utf-8");
          assertThat(new String(file.plain().bytes(), UTF_8)).startsWith("<!doctype html>");
        });
    assertThat(files.at(path)).isEqualTo(files.at("/"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/console",
        "/console/",
        "/console/calls/",
        "/console/calls/1",
        "/console/call",
        "/console/call/",
        "/console/call/1/2",
        "/console/Calls",
        "/console/session",
        "/console/home",
        "/console/assets",
        "/console/assets/",
        "/console/assets/none.js",
        "/console/assets/vendor",
        "/console/assets/vendor/",
        "/console/assets/vendor/none.js",
        "/console/assets/APP.CSS",
        "/console/assets/ConsoleFiles.class",
        "/console/assets/package-info.class",
        "/console/assets/../index.html",
        "/console/assets/%2e%2e/index.html",
        "/console/assets/..%2findex.html",
        "/console/assets//app.css",
        "/console/assets/./app.css",
        "/console/assets/app.css/",
        "/console/assets/app.css%00",
        "/console/assets/../../../../etc/passwd",
        "/console/assets/../../../../META-INF/MANIFEST.MF",
        "/console/assets/vendor/../app.css",
        "/console/../console/calls"
      })
  void otherPathsAreUnknown(String path) {
    assertThat(files.at(path)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "index.html,text/html; charset=utf-8",
    "app.css,text/css; charset=utf-8",
    "app.js,text/javascript; charset=utf-8",
    "vendor/uPlot.esm.js,text/javascript; charset=utf-8",
    "vendor/uPlot.min.css,text/css; charset=utf-8"
  })
  void theTypeIsThatOfTheName(String name, String type) {
    assertThat(asset(name).type()).isEqualTo(type);
  }

  @Test
  void pagesHaveNothingInlineAndNothingForeign() {
    String index = new String(asset("index.html").plain().bytes(), UTF_8);

    assertThat(index).doesNotContainPattern(INLINE).doesNotContainPattern(FOREIGN);
  }

  @Test
  void modulesImportEachOtherWithoutACircle() {
    Map<String, Set<String>> imports =
        files.assetNames().stream()
            .filter(name -> name.endsWith(".js"))
            .collect(toMap(name -> name, this::imports));
    assertThat(imports.get("router.js")).contains("address.js", "home.js");

    while (imports.values().removeIf(imported -> disjoint(imported, imports.keySet()))) {
      // modules that import no other go first, then those that import only these
    }

    assertThat(imports).isEmpty();
  }

  private Set<String> imports(String name) {
    return IMPORT
        .matcher(new String(asset(name).plain().bytes(), UTF_8))
        .results()
        .map(each -> each.group(1))
        .collect(toSet());
  }

  private ConsoleFile asset(String name) {
    return Optional.of(name).map("/console/assets/"::concat).flatMap(files::at).orElseThrow();
  }
}
