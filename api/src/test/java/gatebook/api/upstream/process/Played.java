package gatebook.api.upstream.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.api.upstream.process.Dialogue.Question;
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
  static final Bounds BOUNDS = bounds(3_000);

  static final long MILLIS = 120_000;

  private static final AtomicLong COUNT = new AtomicLong();

  final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("played-timer").factory());
  private final List<Dialogue> dialogues = new ArrayList<>();

  /** Of no other programs that tests play at the same time. */
  private final String name = "played" + COUNT.incrementAndGet();

  static Bounds bounds(long stopMillis) {
    return new Bounds(64 << 10, 256, 8, 1 << 20, stopMillis);
  }

  Dialogue server(PlayedServer.Mode mode) {
    return begin(BOUNDS, PlayedServer.command(mode));
  }

  Dialogue shell(String script) {
    return begin(BOUNDS, List.of("sh", "-c", script));
  }

  Dialogue begin(Bounds bounds, List<String> command) {
    Dialogue dialogue = Dialogue.begin(how(name, command), bounds, text -> text, timer);
    dialogues.add(dialogue);
    return dialogue;
  }

  static Child.How how(List<String> command) {
    return how("played", command);
  }

  private static Child.How how(String name, List<String> command) {
    return new Child.How(name, command, Map.of("PATH", System.getenv("PATH")), null);
  }

  static CompletableFuture<Ending> call(Dialogue dialogue, String tool) {
    return call(dialogue, tool, "", _ -> {});
  }

  /** {@code more} members of the params. */
  static CompletableFuture<Ending> call(
      Dialogue dialogue, String tool, String more, Consumer<byte[]> aside) {
    return dialogue.ask(
        new Question("tools/call", "{\"name\":\"%s\"%s}".formatted(tool, more), null, MILLIS, true),
        aside);
  }

  /** The line that answers. */
  static String line(Ending ending) {
    assertThat(ending).isInstanceOf(Ending.Answered.class);
    return new String(((Ending.Answered) ending).line(), UTF_8);
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
    dialogues.forEach(Dialogue::stopNow);
    await().until(() -> dialogues.stream().allMatch(it -> it.ended().isDone()));
    timer.shutdownNow();
  }
}
