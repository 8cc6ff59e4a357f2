package gatebook.api.upstream.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.api.upstream.process.StdioClient.StdioRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Processes of a test, which end with it. */
final class ProcessFixture implements AutoCloseable {

  /** Short enough to wait for, and long enough for a process on a busy machine to end by itself. */
  static final ProcessLimits LIMITS = limits(3_000);

  static final long MILLIS = 120_000;

  private static final AtomicLong COUNT = new AtomicLong();

  final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("played-timer").factory());
  private final List<StdioClient> clients = new ArrayList<>();

  /** Unique among the tests that run at the same time. */
  private final String name = "played" + COUNT.incrementAndGet();

  static ProcessLimits limits(long stopMillis) {
    return new ProcessLimits(64 << 10, 256, 8, 1 << 20, stopMillis);
  }

  StdioClient server(StdioTestServer.Mode mode) {
    return start(LIMITS, StdioTestServer.command(mode));
  }

  StdioClient shell(String script) {
    return start(LIMITS, List.of("sh", "-c", script));
  }

  StdioClient start(ProcessLimits processLimits, List<String> command) {
    StdioClient stdioClient =
        StdioClient.start(launchSpec(name, command), processLimits, text -> text, timer);
    clients.add(stdioClient);
    return stdioClient;
  }

  static ChildProcess.LaunchSpec launchSpec(List<String> command) {
    return launchSpec("played", command);
  }

  private static ChildProcess.LaunchSpec launchSpec(String name, List<String> command) {
    return new ChildProcess.LaunchSpec(name, command, Map.of("PATH", System.getenv("PATH")), null);
  }

  static CompletableFuture<RequestResult> call(StdioClient stdioClient, String tool) {
    return call(stdioClient, tool, "", _ -> {});
  }

  /** {@code more} is the text of further members of the params. */
  static CompletableFuture<RequestResult> call(
      StdioClient stdioClient, String tool, String more, Consumer<byte[]> callListener) {
    return stdioClient.send(
        new StdioRequest(
            "tools/call", "{\"name\":\"%s\"%s}".formatted(tool, more), null, MILLIS, true),
        callListener);
  }

  /** The line that answered. */
  static String line(RequestResult requestResult) {
    assertThat(requestResult).isInstanceOf(RequestResult.Answered.class);
    return new String(((RequestResult.Answered) requestResult).line(), UTF_8);
  }

  /** Records the messages that are not answers. */
  static final class RecordedLines implements Consumer<byte[]> {
    final List<String> lines = new CopyOnWriteArrayList<>();

    @Override
    public void accept(byte[] line) {
      lines.add(new String(line, UTF_8));
    }
  }

  static boolean isAlive(long pid) {
    return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
  }

  /** The number of threads that read from its processes. */
  long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("source-" + name))
        .count();
  }

  @Override
  public void close() {
    clients.forEach(StdioClient::stopNow);
    await().until(() -> clients.stream().allMatch(it -> it.ended().isDone()));
    timer.shutdownNow();
  }
}
