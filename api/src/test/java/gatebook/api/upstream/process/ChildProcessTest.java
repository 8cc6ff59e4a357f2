package gatebook.api.upstream.process;

import static gatebook.api.upstream.process.ProcessFixture.call;
import static gatebook.api.upstream.process.ProcessFixture.isAlive;
import static gatebook.api.upstream.process.ProcessFixture.line;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.api.upstream.process.ChildProcess.Exit;
import gatebook.api.upstream.process.ProcessFixture.RecordedLines;
import gatebook.api.upstream.process.StdioTestServer.Mode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How child processes end, together with what they started. */
class ChildProcessTest {

  private static final String READY =
      """
      echo '{"jsonrpc":"2.0","method":"ready"}';\
      """;

  private final ProcessFixture processFixture = new ProcessFixture();

  @AfterEach
  void close() {
    processFixture.close();
  }

  @Test
  void aProcessMayEndWhenItsInputIsClosed() {
    StdioClient stdioClient = processFixture.shell("cat >/dev/null; exit 5");

    stdioClient.stop();

    assertThat(stdioClient.ended().join()).isEqualTo(new Exit.Ended(5));
  }

  @Test
  void aProcessThatContinuesGetsSigterm() {
    StdioClient stdioClient =
        ready(
            ProcessFixture.LIMITS, "trap 'exit 6' TERM; " + READY + "while :; do sleep 0.05; done");

    stdioClient.stop();

    assertThat(stdioClient.ended().join()).isEqualTo(new Exit.Ended(6));
  }

  @Test
  void aProcessThatIgnoresSigtermIsKilled() {
    StdioClient stdioClient =
        ready(
            ProcessFixture.limits(300), "trap '' TERM; " + READY + "while :; do sleep 0.05; done");

    stdioClient.stop();

    assertThat(stdioClient.ended().join()).isEqualTo(new Exit.Ended(137));
  }

  @Test
  void stopNowSendsSigtermAtOnce() {
    StdioClient stdioClient =
        ready(
            ProcessFixture.LIMITS, "trap 'exit 6' TERM; " + READY + "while :; do sleep 0.01; done");
    long before = System.nanoTime();

    stdioClient.stopNow();

    assertThat(stdioClient.ended().join()).isEqualTo(new Exit.Ended(6));
    assertThat(Duration.ofNanos(System.nanoTime() - before))
        .isLessThan(Duration.ofMillis(ProcessFixture.LIMITS.stopMillis()));
  }

  @Test
  void childrenOfTheProcessEndWithIt() {
    StdioClient stdioClient = processFixture.server(Mode.SESSIONS);
    String answer = line(call(stdioClient, "spawn").join());
    long pid = Long.parseLong(answer.replaceAll(".*\"pid\":(\\d+).*", "$1"));
    assertThat(isAlive(pid)).isTrue();

    assertThat(call(stdioClient, "die").join()).isInstanceOf(RequestResult.Broken.class);

    await().until(() -> !isAlive(pid));
    assertThat(stdioClient.ended().join()).isEqualTo(new Exit.Ended(3));
  }

  @Test
  void anEscapedChildThatHoldsTheOutputDoesNotBlock() {
    StdioClient stdioClient = processFixture.shell("setsid sleep 6 & exit 4");

    assertThat(stdioClient.ended().join()).isEqualTo(new Exit.Ended(4));
  }

  /** Starts a script and waits until it has set its signal handler. */
  private StdioClient ready(ProcessLimits processLimits, String script) {
    RecordedLines recordedLines = new RecordedLines();
    StdioClient stdioClient = processFixture.start(processLimits, List.of("sh", "-c", script));
    stdioClient.listen(recordedLines);
    await().until(() -> !recordedLines.lines.isEmpty());
    return stdioClient;
  }
}
