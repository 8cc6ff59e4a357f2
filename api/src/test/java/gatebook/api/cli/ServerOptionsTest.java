package gatebook.api.cli;

import static org.assertj.core.api.Assertions.assertThat;

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
