package gatebook.api.upstream.process;

import static gatebook.api.upstream.process.Played.call;
import static gatebook.api.upstream.process.Played.isAlive;
import static gatebook.api.upstream.process.Played.line;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.api.upstream.process.ChildProcess.Exit;
import gatebook.api.upstream.process.Played.Heard;
import gatebook.api.upstream.process.PlayedServer.Mode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The end of programs, and of what they started. */
class ChildProcessTest {

  private static final String READY = "echo '{\"jsonrpc\":\"2.0\",\"method\":\"ready\"}'; ";

  private final Played played = new Played();

  @AfterEach
  void close() {
    played.close();
  }

  @Test
  void whoEndsWhenItsInputIsClosedIsNotToldTo() {
    StdioClient stdioClient = played.shell("cat >/dev/null; exit 5");

    stdioClient.stop();

    assertThat(stdioClient.ended().join()).isEqualTo(new Exit.Ended(5));
  }

  @Test
  void whoDoesNotIsToldTo() {
    StdioClient stdioClient =
        ready(Played.BOUNDS, "trap 'exit 6' TERM; " + READY + "while :; do sleep 0.05; done");

    stdioClient.stop();

    assertThat(stdioClient.ended().join()).isEqualTo(new Exit.Ended(6));
  }

  @Test
  void whoDoesNotListenIsMadeTo() {
    StdioClient stdioClient =
        ready(Played.bounds(300), "trap '' TERM; " + READY + "while :; do sleep 0.05; done");

    stdioClient.stop();

    assertThat(stdioClient.ended().join()).isEqualTo(new Exit.Ended(137));
  }

  @Test
  void whoIsEndedInAHurryIsToldAtOnce() {
    StdioClient stdioClient =
        ready(Played.BOUNDS, "trap 'exit 6' TERM; " + READY + "while :; do sleep 0.01; done");
    long before = System.nanoTime();

    stdioClient.stopNow();

    assertThat(stdioClient.ended().join()).isEqualTo(new Exit.Ended(6));
    assertThat(Duration.ofNanos(System.nanoTime() - before))
        .isLessThan(Duration.ofMillis(Played.BOUNDS.stopMillis()));
  }

  @Test
  void whatAProgramStartedEndsWithIt() {
    StdioClient stdioClient = played.server(Mode.SESSIONS);
    String answer = line(call(stdioClient, "spawn").join());
    long pid = Long.parseLong(answer.replaceAll(".*\"pid\":(\\d+).*", "$1"));
    assertThat(isAlive(pid)).isTrue();

    assertThat(call(stdioClient, "die").join()).isInstanceOf(RequestResult.Broken.class);

    await().until(() -> !isAlive(pid));
    assertThat(stdioClient.ended().join()).isEqualTo(new Exit.Ended(3));
  }

  @Test
  void whoEscapesWithItsOutputKeepsNobodyWaiting() {
    StdioClient stdioClient = played.shell("setsid sleep 6 & exit 4");

    assertThat(stdioClient.ended().join()).isEqualTo(new Exit.Ended(4));
  }

  /** Once it knows what to do when it is told to end. */
  private StdioClient ready(ProcessLimits processLimits, String script) {
    Heard heard = new Heard();
    StdioClient stdioClient = played.begin(processLimits, List.of("sh", "-c", script));
    stdioClient.listen(heard);
    await().until(() -> !heard.lines.isEmpty());
    return stdioClient;
  }
}
