package gatebook.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A lost thread ends the daemon, which else would keep the journal without answering. */
final class LostThreadTest {
  private static final String ASKED =
      """
      {"jsonrpc":"2.0","id":1,"method":"version"}\
      """;

  @TempDir private Path temp;

  @Test
  void uncaughtErrorOnAnyThreadEndsDaemonWithCodeOne() throws Exception {
    Path now = temp.resolve("now");
    Process daemon =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                LosesAThread.class.getName(),
                now.toString(),
                "stdio",
                "--data",
                temp.resolve("data").toString(),
                "--log",
                temp.resolve("log").toString())
            .redirectError(temp.resolve("err").toFile())
            .start();
    try (OutputStream in = daemon.getOutputStream();
        BufferedReader out = daemon.inputReader(UTF_8)) {
      in.write("Content-Length: %d\r\n\r\n%s".formatted(ASKED.length(), ASKED).getBytes(UTF_8));
      in.flush();
      assertThat(out.readLine()).startsWith("Content-Length: ");

      Files.createFile(now);

      assertThat(daemon.waitFor(300, SECONDS)).isTrue();
      assertThat(daemon.exitValue()).isEqualTo(1);
      assertThat(Files.readString(temp.resolve("err")))
          .contains("NoClassDefFoundError ended the thread to-be-lost, and so this process");
    } finally {
      daemon.destroyForcibly();
    }
  }
}
