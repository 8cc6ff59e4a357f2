package gatebook.api;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.events.Requires;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs every shell command of the README and of the pages it links to once, on one node. */
final class ReadmeProcessTest {
  private static final Path HOME = Path.of(System.getProperty("gatebook.root"));

  private static final List<String> PAGES =
      List.of(
          "README.md", "api/EVIDENCE.md", "api/OPERATING.md", "api/EDITOR.md", "events/JOURNAL.md");

  @TempDir private Path temp;

  private @Nullable Process server;
  private String callers = "";
  private String admin = "";

  @AfterEach
  void stop() {
    if (server != null) {
      server.destroyForcibly();
    }
  }

  @Test
  void everyCommandOfTheReadmeWorks() throws Exception {
    Requires.program("curl");
    List<String> commands = commands();

    assertThat(commands).startsWith("./gatebook serve", "mvn verify");
    for (String command : commands) {
      switch (command) {
        case "./gatebook serve" -> serve();
        // that command runs this test
        case "mvn verify" ->
            assertThat(read(HOME.resolve(".ci/run"))).contains("mvn -B -ntp verify");
        default -> run(command);
      }
    }
  }

  private static List<String> commands() {
    List<String> commands = new ArrayList<>();
    for (String page : PAGES) {
      for (String block : ShellBlocks.of(HOME.resolve(page))) {
        commands.addAll(commands(block.replace("\\\n", "")));
      }
    }
    return commands.stream().distinct().toList();
  }

  /** The commands of a block; lines of which one waits for another are one command. */
  private static List<String> commands(String block) {
    return block.contains("&\n") ? List.of(block) : block.lines().toList();
  }

  private void serve() throws IOException {
    server = start("./gatebook serve --port 0 --admin-port 0", "serve");
    List<String> lines =
        await().until(() -> read(temp.resolve("serve.out")).lines().toList(), l -> l.size() >= 2);
    callers = address(lines.get(0));
    admin = address(lines.get(1));
  }

  private static String address(String line) {
    return line.substring(line.indexOf("http://") + "http://".length()).strip();
  }

  private void run(String command) throws Exception {
    String here =
        command
            .replace("127.0.0.1:7467", callers)
            .replace("127.0.0.1:7469", admin)
            .replace("gatebook-data/", temp.resolve("data") + "/");
    Process process = start(here, "command");

    assertThat(process.waitFor(300, SECONDS)).isTrue();
    assertThat(process.exitValue()).describedAs(read(temp.resolve("command.err"))).isZero();
    assertThat(read(temp.resolve("command.out")))
        .describedAs(command)
        .isNotBlank()
        .doesNotContain("unauthorized", "Invalid Request");
  }

  private Process start(String command, String name) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder("sh", "-c", command.contains("\n") ? command : "exec " + command)
            .directory(HOME.toFile())
            .redirectOutput(temp.resolve(name + ".out").toFile())
            .redirectError(temp.resolve(name + ".err").toFile());
    builder.environment().put("GATEBOOK_DATA", temp.resolve("data").toString());
    return builder.start();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
