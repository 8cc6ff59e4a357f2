package gatebook.api.stdio;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Fuzzes the frame reader and the message reader with {@link FrameFuzz}, guided by coverage: some
 * seconds in every build, minutes with {@code -Plong}.
 */
@Order(1)
final class FrameFuzzTest {

  /** About six seconds on a quiet machine. */
  private static final int RUNS_BOUNDED = 50_000;

  private static final long LONG_SECONDS = 600;
  private static final long GRACE_SECONDS = 300;
  private static final Pattern RUNS = Pattern.compile("Done (\\d+) runs");

  private static final String TYPE = "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n";

  private static final List<String> SEEDS =
      List.of(
          """
          \u0007Content-Length: 38\r\n\r\n{"jsonrpc":"2.0","id":1,"method":"m"}\
          """,
          "\u0001" + TYPE + "Content-Length: 2\r\n\r\n[]",
          "\u0003Content-Length: 5\r\n\r\n{}}}}}Content-Length: 2\r\n\r\n{}",
          "\u0005Nonsense\r\nContent-Length: 2\r\n\r\n{}",
          "\u0009Content-Length: 99999999\r\nX: y\r\n\r\nxxxx",
          "\u0002Content-Length: 2\r\nbad line\r\n\r\n{}X: 1\r\n\r\n");

  @TempDir private Path temp;

  @Test
  void noBytesBreakOrDesynchroniseTheReaders() throws Exception {
    String bound = isLong() ? "-max_total_time=" + LONG_SECONDS : "-runs=" + RUNS_BOUNDED;
    Path corpus = Files.createDirectory(temp.resolve("corpus"));
    for (int seed = 0; seed < SEEDS.size(); seed++) {
      Files.writeString(corpus.resolve("seed" + seed), SEEDS.get(seed), UTF_8);
    }

    Matcher runs = RUNS.matcher(fuzz(corpus, bound));

    assertThat(runs.find()).isTrue();
    System.err.printf("frames: %s inputs tried (%s)%n", runs.group(1), bound);
    assertThat(Long.parseLong(runs.group(1)))
        .as("inputs tried")
        .isGreaterThanOrEqualTo(RUNS_BOUNDED);
  }

  private static boolean isLong() {
    return "long".equals(System.getProperty("gatebook.proof"));
  }

  private String fuzz(Path corpus, String bound) throws IOException, InterruptedException {
    Path out = temp.resolve("out");
    Process fuzzer =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-Xmx512m",
                "-XX:TieredStopAtLevel=" + (isLong() ? 4 : 1),
                "-XX:+EnableDynamicAgentLoading",
                "-Djdk.attach.allowAttachSelf=true",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                "com.code_intelligence.jazzer.Jazzer",
                "--target_class=" + FrameFuzz.class.getName(),
                "--instrumentation_includes=gatebook.api.stdio.**:gatebook.api.rpc.**",
                bound,
                "-max_len=4096",
                "-print_final_stats=1",
                corpus.toString())
            .directory(temp.toFile())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    boolean ended = fuzzer.waitFor(LONG_SECONDS + GRACE_SECONDS, SECONDS);
    fuzzer.destroyForcibly().waitFor();
    String said = Files.readString(out);
    assertThat(ended && fuzzer.exitValue() == 0).as(said).isTrue();
    return said;
  }
}
