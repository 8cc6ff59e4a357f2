package gatebook.events.journal.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/** The machine that the figures were measured on. */
public final class Machine {
  private static final int FORCES = 300;
  private static final int BLOCK_BYTES = 4_096;

  private Machine() {}

  /** Describes it in two lines; forces a file in a directory, which is on the measured disk. */
  public static String describe(Path directory) throws IOException {
    long[] micros = forceMicros(directory);
    return """
    %d cores, load %.1f; %s %s; %s %s
    appending and forcing 4 KiB takes %s us (p50), %s us (p99)\
    """
        .formatted(
            Runtime.getRuntime().availableProcessors(),
            load(),
            System.getProperty("os.name"),
            System.getProperty("os.version"),
            System.getProperty("java.vm.vendor"),
            System.getProperty("java.vm.version"),
            micros[FORCES / 2],
            micros[FORCES * 99 / 100]);
  }

  /**
   * Runnable processes, averaged over a minute by the system, including those of other programs.
   */
  public static double load() {
    return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
  }

  private static long[] forceMicros(Path directory) throws IOException {
    Path probe = directory.resolve("probe");
    long[] micros = new long[FORCES];
    try (FileChannel file =
        FileChannel.open(probe, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      for (int i = 0; i < FORCES; i++) {
        long start = System.nanoTime();
        file.write(ByteBuffer.allocate(BLOCK_BYTES));
        file.force(false);
        micros[i] = (System.nanoTime() - start) / 1_000;
      }
    }
    Files.delete(probe);
    Arrays.sort(micros);
    return micros;
  }
}
