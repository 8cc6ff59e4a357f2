package gatebook.api.bench;

import gatebook.api.stdio.Daemon;
import gatebook.events.journal.bench.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * How long an editor waits for the first answer of a daemon it starts: from before the process is
 * there until the answer, recorded, has been read.
 */
public final class DaemonStart {

  private static final int ROUNDS = 15;
  private static final long CACHE_SECONDS_MAX = 120;

  private DaemonStart() {}

  /** In a directory for data, at the root of the repository. */
  public static void main(String[] args) throws IOException, InterruptedException {
    Path target = Path.of(args[0]);
    Path directory = Files.createTempDirectory(target, "daemon-start");
    say("%s", Machine.describe(directory));
    say("without a cache: %s", median(new double[] {firstAnswerMillis(directory)}));
    awaitCache(target);
    say("alone on its data: %s", median(measured(directory)));
    try (Daemon owner = Daemon.start(directory)) {
      owner.request(1, "initialize", "{}");
      var _ = owner.receive();
      say("beside another: %s", median(measured(directory)));
    }
    say("load at the end %.1f", Machine.load());
  }

  private static double[] measured(Path directory) {
    double[] millis = new double[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      millis[round] = firstAnswerMillis(directory);
    }
    return millis;
  }

  private static double firstAnswerMillis(Path directory) {
    long from = System.nanoTime();
    try (Daemon daemon = Daemon.start(directory)) {
      daemon.request(1, "initialize", "{}");
      var _ = daemon.receive().orElseThrow();
      double millis = (System.nanoTime() - from) / 1e6;
      daemon.end();
      return millis;
    }
  }

  /** The first daemon has it made. */
  private static void awaitCache(Path target) throws InterruptedException {
    long from = System.nanoTime();
    while (!Files.exists(target.resolve("gatebook.aot"))) {
      if (TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - from) > CACHE_SECONDS_MAX) {
        throw new IllegalStateException("no cache is made");
      }
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }

  private static String median(double[] millis) {
    Arrays.sort(millis);
    return String.format(
        Locale.ROOT,
        "%.0f ms (%.0f-%.0f)",
        millis[millis.length / 2],
        millis[0],
        millis[millis.length - 1]);
  }

  @SuppressWarnings("SystemOut") // a benchmark's figures are its result
  private static void say(String format, Object... values) {
    System.out.printf(format + "%n", values);
  }
}
