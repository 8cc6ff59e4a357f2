package gatebook.api.proof;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The resources of a server process.
 *
 * @param heapBytes reachable heap, measured after a full collection
 * @param files open files, including sockets
 * @param connections open connections to sources
 */
record ProcessResources(long heapBytes, long files, long connections) {
  private static final Path JCMD = Path.of(System.getProperty("java.home"), "bin", "jcmd");

  static ProcessResources of(ServerProcess server) {
    collect(server.pid());
    String metrics = server.probe("/metrics").body();
    return new ProcessResources(
        sum(metrics, "jvm_memory_used_bytes{area=\"heap\""),
        files(server.pid()),
        connections(metrics));
  }

  /** Open connections to sources. */
  static long connections(ServerProcess server) {
    return connections(server.probe("/metrics").body());
  }

  private static long connections(String metrics) {
    return sum(metrics, "gatebook_upstream_connections{");
  }

  private static void collect(long pid) {
    try {
      Process jcmd =
          new ProcessBuilder(JCMD.toString(), Long.toString(pid), "GC.run")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      assertThat(jcmd.waitFor(300, SECONDS)).as("the heap is collected").isTrue();
      assertThat(jcmd.exitValue()).as("what jcmd ends with").isZero();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static long sum(String metrics, String beginning) {
    Set<String> lines =
        metrics.lines().filter(line -> line.startsWith(beginning)).collect(Collectors.toSet());
    assertThat(lines).as(beginning).isNotEmpty();
    return lines.stream()
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  private static long files(long pid) {
    try (Stream<Path> open = Files.list(Path.of("/proc/%d/fd".formatted(pid)))) {
      return open.count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
