package gatebook.api.proof;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tests of the console's modules that need no page: Node.js runs them. */
final class ConsoleModulesTest {
  private static final Path ROOT = Path.of(System.getProperty("gatebook.root"));
  private static final Path TESTS = ROOT.resolve("api/src/test/console");

  @TempDir private Path temp;

  @Test
  void modulesPassTheirTests() throws Exception {
    Path out = temp.resolve("out");
    List<String> command =
        new ArrayList<>(
            List.of(NpmPeers.program(), "--test", "--test-isolation=none", "--test-reporter=spec"));
    command.addAll(tests());

    Process node =
        new ProcessBuilder(command)
            .directory(ROOT.toFile())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    boolean ended = node.waitFor(5, MINUTES);
    node.destroyForcibly();

    String printed = Files.readString(out, UTF_8);
    assertThat(ended && node.exitValue() == 0).as("node --test:%n%s", printed).isTrue();
    assertThat(printed).containsPattern("(?m)^ℹ fail 0$").doesNotContainPattern("(?m)^ℹ pass 0$");
  }

  private static List<String> tests() throws IOException {
    try (Stream<Path> files = Files.walk(TESTS)) {
      return files
          .map(Path::toString)
          .filter(name -> name.matches(".*\\.test\\.m?js"))
          .sorted()
          .toList();
    }
  }
}
