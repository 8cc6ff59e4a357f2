package gatebook.events.bench;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The machine that the figures were measured on. */
public final class Machine {
  private static final int FORCES = 300;
  private static final int BLOCK_BYTES = 4_096;
  private static final List<String> LIBRARIES =
      List.of(
          "micronaut-http-server-netty",
          "netty-codec-http",
          "axon-messaging",
          "h2",
          "postgresql",
          "cedar-java");

  private Machine() {}

  /**
   * Describes it and the libraries; forces a file in a directory, which is on the measured disk.
   */
  static String describe(Path directory) throws Exception {
    return """
    %d cores, load %.1f; %s %s; %s %s
    %s
    %s\
    """
        .formatted(
            Runtime.getRuntime().availableProcessors(),
            load(),
            System.getProperty("os.name"),
            System.getProperty("os.version"),
            System.getProperty("java.vm.vendor"),
            System.getProperty("java.vm.version"),
            libraries(),
            disk(directory));
  }

  /** The versions in the names of the class path's files. */
  private static String libraries() {
    String classPath = System.getProperty("java.class.path");
    return LIBRARIES.stream()
        .map(library -> Pattern.compile("/(" + library + "-[0-9][^-/]*)[^/]*\\.jar"))
        .flatMap(jar -> jar.matcher(classPath).results().limit(1))
        .map(jar -> jar.group(1))
        .collect(Collectors.joining(", "));
  }

  /** How long the disk takes. */
  public static String disk(Path directory) throws Exception {
    Path probe = directory.resolve("probe");
    try (FileChannel file =
        FileChannel.open(probe, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      Times times =
          Times.measure(
              0,
              FORCES,
              () -> {
                int _ = file.write(ByteBuffer.allocate(BLOCK_BYTES));
                file.force(false);
              });
      return "appending and forcing 4 KiB takes %.0f us (p50), %.0f us (p99)"
          .formatted(times.micros(0.5), times.micros(0.99));
    } finally {
      Files.delete(probe);
    }
  }

  /**
   * Runnable processes, averaged over a minute by the system, including those of other programs.
   */
  public static double load() {
    return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
  }
}
