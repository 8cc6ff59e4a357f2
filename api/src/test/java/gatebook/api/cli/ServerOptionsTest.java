package gatebook.api.cli;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.data.DataDirectory;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ServerOptionsTest {

  @TempDir private Path temp;

  @Test
  void aDirectoryWithoutDataIsReported() {
    Path none = temp.resolve("no");

    assertThat(CommandRun.of(new ErrorsCommand(), List.of("--data", none.toString())))
        .isEqualTo(
            new CommandRun(
                1,
                "",
                "%s is no data directory: name one with --data, or a server with --url%n"
                    .formatted(none)));
  }

  @Test
  void noServerGetsTheTokenOfAStoppedDirectory() throws Exception {
    Path stopped = temp.resolve("stopped");
    try (DataDirectory opened =
        ((DataDirectory.Opening.Opened) DataDirectory.open(stopped)).directory()) {
      assertThat(opened).isNotNull();
    }
    List<String> options = List.of("--data", stopped.toString(), "--token", "t");
    String sentence =
        "no process uses %s: start a node with gatebook serve --data %s, or name one with --url"
            .formatted(stopped, stopped);

    assertThat(CommandRun.of(new ErrorsCommand(), options))
        .isEqualTo(new CommandRun(1, "", sentence + "\n"));
    assertThat(CommandRun.of(new ErrorsCommand(), options, "--json"))
        .isEqualTo(
            new CommandRun(
                1,
                """
                {"error":{"message":"%s"}}
                """
                    .formatted(sentence),
                ""));
  }

  @Test
  void aServerUrlRequiresAToken() {
    Path none = temp.resolve("no");

    assertThat(
            CommandRun.of(
                new ErrorsCommand(),
                List.of("--url", "http://127.0.0.1:1", "--data", none.toString())))
        .isEqualTo(
            new CommandRun(
                1,
                "",
                "there is no token in %s: give one with --token or GATEBOOK_TOKEN%n"
                    .formatted(none)));
  }
}
