package gatebook.api.stdio;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.Proof;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Fuzzes the frame reader and the message reader with {@link FrameFuzz}: with random changes of
 * some seeds in every build, and guided by coverage, for minutes, with {@code -Plong}.
 */
@Order(1)
final class FrameFuzzTest {

  private static final int MUTATIONS = 10_000;
  private static final int LONG_RUNS_MIN = 30_000;
  private static final int CHANGES_MAX = 8;
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

  /** Bytes that matter to a reader of frames. */
  private static final String SPECIAL = "\r\n:{}[]\"\\ ,0123456789CL\u0000\u00ff";

  @TempDir private Path temp;

  @Test
  void noBytesBreakOrDesynchroniseTheReaders() throws Exception {
    if (Proof.LONG) {
      fuzz();
    } else {
      long seed = Long.getLong("gatebook.seed", System.nanoTime());
      System.err.println("frames: seed " + seed);
      Random random = new Random(seed);
      for (int i = 0; i < MUTATIONS; i++) {
        FrameFuzz.fuzzerTestOneInput(mutated(random));
      }
    }
  }

  /** A seed with some bytes removed, replaced, repeated, or followed by those of another seed. */
  private static byte[] mutated(Random random) {
    StringBuilder text = new StringBuilder(SEEDS.get(random.nextInt(SEEDS.size())));
    for (int left = 1 + random.nextInt(CHANGES_MAX); left > 0; left--) {
      int from = random.nextInt(text.length() + 1);
      int to = Math.min(text.length(), from + random.nextInt(CHANGES_MAX));
      switch (random.nextInt(5)) {
        case 0 -> text.delete(from, to);
        case 1 -> text.insert(from, text.substring(from, to));
        case 2 -> text.insert(from, SPECIAL.charAt(random.nextInt(SPECIAL.length())));
        case 3 -> text.replace(from, to, String.valueOf((char) random.nextInt(256)));
        default -> text.insert(from, SEEDS.get(random.nextInt(SEEDS.size())));
      }
    }
    return text.toString().getBytes(ISO_8859_1);
  }

  private void fuzz() throws IOException, InterruptedException {
    Path corpus = Files.createDirectory(temp.resolve("corpus"));
    for (int seed = 0; seed < SEEDS.size(); seed++) {
      Files.writeString(corpus.resolve("seed" + seed), SEEDS.get(seed), UTF_8);
    }

    Matcher runs = RUNS.matcher(fuzz(corpus));

    assertThat(runs.find()).isTrue();
    System.err.printf("frames: %s inputs tried%n", runs.group(1));
    assertThat(Long.parseLong(runs.group(1))).as("inputs tried").isGreaterThan(LONG_RUNS_MIN);
  }

  private String fuzz(Path corpus) throws IOException, InterruptedException {
    Path out = temp.resolve("out");
    Process fuzzer =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-Xmx512m",
                "-XX:+EnableDynamicAgentLoading",
                "-Djdk.attach.allowAttachSelf=true",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                "com.code_intelligence.jazzer.Jazzer",
                "--target_class=" + FrameFuzz.class.getName(),
                "--instrumentation_includes=gatebook.api.stdio.**:gatebook.api.rpc.**",
                "-max_total_time=" + LONG_SECONDS,
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
