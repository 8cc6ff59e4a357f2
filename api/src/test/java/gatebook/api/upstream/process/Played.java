package gatebook.api.upstream.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.api.upstream.process.StdioClient.Question;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Programs of a test, ended with it. */
final class Played implements AutoCloseable {

  /** Short enough to wait for, long enough for a program on a busy machine to end by itself. */
  static final ProcessLimits BOUNDS = bounds(3_000);

  static final long MILLIS = 120_000;

  private static final AtomicLong COUNT = new AtomicLong();

  final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("played-timer").factory());
  private final List<StdioClient> dialogues = new ArrayList<>();

  /** Of no other programs that tests play at the same time. */
  private final String name = "played" + COUNT.incrementAndGet();

  static ProcessLimits bounds(long stopMillis) {
    return new ProcessLimits(64 << 10, 256, 8, 1 << 20, stopMillis);
  }

  StdioClient server(PlayedServer.Mode mode) {
    return begin(BOUNDS, PlayedServer.command(mode));
  }

  StdioClient shell(String script) {
    return begin(BOUNDS, List.of("sh", "-c", script));
  }

  StdioClient begin(ProcessLimits processLimits, List<String> command) {
    StdioClient stdioClient =
        StdioClient.begin(how(name, command), processLimits, text -> text, timer);
    dialogues.add(stdioClient);
    return stdioClient;
  }

  static ChildProcess.How how(List<String> command) {
    return how("played", command);
  }

  private static ChildProcess.How how(String name, List<String> command) {
    return new ChildProcess.How(name, command, Map.of("PATH", System.getenv("PATH")), null);
  }

  static CompletableFuture<RequestResult> call(StdioClient stdioClient, String tool) {
    return call(stdioClient, tool, "", _ -> {});
  }

  /** {@code more} members of the params. */
  static CompletableFuture<RequestResult> call(
      StdioClient stdioClient, String tool, String more, Consumer<byte[]> aside) {
    return stdioClient.ask(
        new Question("tools/call", "{\"name\":\"%s\"%s}".formatted(tool, more), null, MILLIS, true),
        aside);
  }

  /** The line that answers. */
  static String line(RequestResult requestResult) {
    assertThat(requestResult).isInstanceOf(RequestResult.Answered.class);
    return new String(((RequestResult.Answered) requestResult).line(), UTF_8);
  }

  /** What is heard aside, as text. */
  static final class Heard implements Consumer<byte[]> {
    final List<String> lines = new CopyOnWriteArrayList<>();

    @Override
    public void accept(byte[] line) {
      lines.add(new String(line, UTF_8));
    }
  }

  static boolean isAlive(long pid) {
    return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
  }

  /** The threads that listen to its programs. */
  long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("source-" + name))
        .count();
  }

  @Override
  public void close() {
    dialogues.forEach(StdioClient::stopNow);
    await().until(() -> dialogues.stream().allMatch(it -> it.ended().isDone()));
    timer.shutdownNow();
  }
}
