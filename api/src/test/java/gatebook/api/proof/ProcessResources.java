package gatebook.api.proof;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
  /** The memory that two databases may cache together in a small heap. */
  private static final long HEAP_BYTES_MAX = 32L << 20;

  private static final long FILES_MAX = 16;
  private static final Path JCMD = Path.of(System.getProperty("java.home"), "bin", "jcmd");

  /** The resources once no connection to a source is open. */
  static ProcessResources awaitIdle(ServerProcess server) {
    await().until(() -> connections(server.probe("/metrics").body()) == 0);
    return of(server);
  }

  static ProcessResources of(ServerProcess server) {
    collect(server.pid());
    String metrics = server.probe("/metrics").body();
    return new ProcessResources(
        sum(metrics, "jvm_memory_used_bytes{area=\"heap\""),
        files(server.pid()),
        connections(metrics));
  }

  /** Compares these resources with those before some traffic. */
  void assertNoLeakSince(ProcessResources before) {
    assertThat(connections).isZero();
    assertThat(files).isLessThanOrEqualTo(before.files + FILES_MAX);
    assertThat(heapBytes).isLessThanOrEqualTo(before.heapBytes + HEAP_BYTES_MAX);
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
