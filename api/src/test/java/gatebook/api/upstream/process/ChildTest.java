package gatebook.api.upstream.process;

import static gatebook.api.upstream.process.Played.call;
import static gatebook.api.upstream.process.Played.children;
import static gatebook.api.upstream.process.Played.isAlive;
import static gatebook.api.upstream.process.Played.line;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.api.upstream.process.Child.Exit;
import gatebook.api.upstream.process.Played.Heard;
import gatebook.api.upstream.process.PlayedServer.Mode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The end of programs, and of what they started. */
class ChildTest {

  private static final int RESTARTS =
      "long".equals(System.getProperty("gatebook.proof")) ? 10_000 : 100;

  private final Played played = new Played();

  @AfterEach
  void close() {
    played.close();
  }

  @Test
  void whoEndsWhenItsInputIsClosedIsNotToldTo() {
    Dialogue dialogue = played.shell("cat >/dev/null; exit 5");

    dialogue.stop();

    assertThat(dialogue.ended().join()).isEqualTo(new Exit.Ended(5));
  }

  @Test
  void whoDoesNotIsToldTo() {
    Dialogue dialogue = played.shell("trap 'exit 6' TERM; echo '{}'; while :; do sleep 0.05; done");

    dialogue.stop();

    assertThat(dialogue.ended().join()).isEqualTo(new Exit.Ended(6));
  }

  @Test
  void whoDoesNotListenIsMadeTo() {
    Dialogue dialogue = played.shell("trap '' TERM; while :; do sleep 0.05; done");

    dialogue.stop();

    assertThat(dialogue.ended().join()).isEqualTo(new Exit.Ended(137));
  }

  @Test
  void whoIsEndedInAHurryIsToldAtOnce() {
    Heard heard = new Heard();
    Dialogue dialogue =
        played.shell(
            "trap 'exit 6' TERM; echo '{\"jsonrpc\":\"2.0\",\"method\":\"ready\"}'; while :; do"
                + " sleep 0.01; done");
    dialogue.listen(heard);
    await().until(() -> !heard.lines.isEmpty());
    long before = System.nanoTime();

    dialogue.stopNow();

    assertThat(dialogue.ended().join()).isEqualTo(new Exit.Ended(6));
    assertThat(Duration.ofNanos(System.nanoTime() - before))
        .isLessThan(Duration.ofMillis(Played.BOUNDS.stopMillis()));
  }

  @Test
  void whatAProgramStartedEndsWithIt() {
    Dialogue dialogue = played.server(Mode.SESSIONS);
    String answer = line(call(dialogue, "spawn").join());
    long pid = Long.parseLong(answer.replaceAll(".*\"pid\":(\\d+).*", "$1"));
    assertThat(isAlive(pid)).isTrue();

    assertThat(call(dialogue, "die").join()).isInstanceOf(Ending.Broken.class);

    await().until(() -> !isAlive(pid));
    assertThat(dialogue.ended().join()).isEqualTo(new Exit.Ended(3));
  }

  @Test
  void whoEscapesWithItsOutputKeepsNobodyWaiting() {
    Dialogue dialogue = played.shell("setsid sleep 6 & exit 4");

    assertThat(dialogue.ended().join()).isEqualTo(new Exit.Ended(4));
  }

  @Test
  void nothingIsLeftOfManyThatEnded() throws IOException {
    endAll(10); // what is loaded once is not counted
    long files = openFiles();

    endAll(RESTARTS);

    await().until(() -> Played.threads() == 0);
    await().until(() -> openFiles() <= files + 3);
    assertThat(children().filter(it -> it.info().command().isEmpty())).isEmpty();
  }

  private void endAll(int count) {
    for (int i = 0; i < count; i++) {
      assertThat(played.shell("echo x; echo y >&2; exit 3").ended().join())
          .isEqualTo(new Exit.Ended(3));
    }
  }

  private static long openFiles() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
      return files.count();
    }
  }
}
