package gatebook.api.upstream.process;

import static gatebook.api.upstream.process.ProcessFixture.call;
import static gatebook.api.upstream.process.ProcessFixture.line;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.api.upstream.process.ProcessSupervisor.Pauses;
import gatebook.api.upstream.process.ProcessSupervisor.State;
import gatebook.api.upstream.process.StdioTestServer.Mode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ProcessSupervisorTest {

  private static final Pauses SHORT = new Pauses(20, 80, 60_000);

  private final ProcessFixture processFixture = new ProcessFixture();
  private final List<ProcessSupervisor> supervisors = new ArrayList<>();

  @AfterEach
  void close() {
    supervisors.forEach(processSupervisor -> processSupervisor.end().join());
    processFixture.close();
  }

  @ParameterizedTest
  @EnumSource(names = {"SESSIONS", "SILENT", "TOUCHY"})
  void aServerWithSessionsIsInitialized(Mode mode) {
    ProcessSupervisor processSupervisor =
        supervise(StdioTestServer.command(mode), SHORT, ProcessFixture.MILLIS);

    State.Up up = awaitUp(processSupervisor);

    assertThat(up.protocol())
        .isEqualTo(
            new ServerProtocol.Sessions(
                """
                {"protocolVersion":"2025-11-25","capabilities":{"tools":{}},\
                "serverInfo":{"name":"played","version":"1"}}\
                """));
    assertThat(line(call(up.client(), "notices").join()))
        .contains(
            """
            {"jsonrpc":"2.0","method":"notifications/initialized"}\
            """);
  }

  @Test
  void aStatelessServerGetsAVersionThatBothSupport() {
    ProcessSupervisor processSupervisor =
        supervise(StdioTestServer.command(Mode.STATELESS), SHORT, ProcessFixture.MILLIS);

    ServerProtocol serverProtocol = awaitUp(processSupervisor).protocol();

    assertThat(serverProtocol)
        .isEqualTo(
            new ServerProtocol.Stateless(
                "2026-07-28",
                """
                {"name":"gatebook","version":"0.0"}\
                """,
                """
                {"supportedVersions":["2099-01-01","2026-07-28"],"capabilities":{}}\
                """));
    assertThat(serverProtocol.params("{\"name\":\"a\"}"))
        .isEqualTo(
            """
            {"name":"a","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",\
            "io.modelcontextprotocol/clientCapabilities":{},\
            "io.modelcontextprotocol/clientInfo":{"name":"gatebook","version":"0.0"}}}\
            """);
    String own =
        """
        {"_meta":{"io.modelcontextprotocol/protocolVersion":"x"}}\
        """;
    assertThat(serverProtocol.params(own)).isEqualTo(own);
    assertThat(serverProtocol.params("[]")).isEqualTo("[]");
  }

  @Test
  void aProcessWithoutAnAnswerInTimeIsRestarted(@TempDir Path directory) {
    ProcessSupervisor processSupervisor =
        supervise(
            List.of("sh", "-c", "echo x >> %s/starts; cat >/dev/null".formatted(directory)),
            SHORT,
            500);

    assertThat(processSupervisor.state().join())
        .isEqualTo(new State.Down("it answers neither server/discover nor initialize"));
    await().until(() -> starts(directory).size() > 1);
  }

  @Test
  void aProcessThatEndsIsRestarted() {
    ProcessSupervisor processSupervisor =
        supervise(StdioTestServer.command(Mode.SESSIONS), SHORT, ProcessFixture.MILLIS);
    StdioClient first = awaitUp(processSupervisor).client();
    CompletableFuture<RequestResult> asking = call(first, "ask");
    assertThat(line(asking.join()))
        .contains(
            """
            {"reply":{"jsonrpc":"2.0","id":"srv-1","error":{"code":-32601,\
            """);

    call(first, "die").join();

    await().until(() -> processSupervisor.isUp() && awaitUp(processSupervisor).client() != first);
    assertThat(line(call(awaitUp(processSupervisor).client(), "echo").join())).contains("said");
  }

  @Test
  void thePauseDoublesUpToTheLongest(@TempDir Path directory) throws IOException {
    ProcessSupervisor processSupervisor =
        supervise(
            List.of("sh", "-c", "date +%s.%N >> %s/starts; exit 3".replace("%s/", directory + "/")),
            new Pauses(50, 400, 60_000),
            ProcessFixture.MILLIS);

    await().until(() -> starts(directory).size() >= 6);

    List<Instant> starts = starts(directory).stream().map(ProcessSupervisorTest::instant).toList();
    List<Long> leastMillis = List.of(50L, 100L, 200L, 400L, 400L);
    for (int i = 0; i < leastMillis.size(); i++) {
      assertThat(Duration.between(starts.get(i), starts.get(i + 1)).toMillis())
          .as("pause %d", i + 1)
          .isGreaterThanOrEqualTo(leastMillis.get(i));
    }
    assertThat(processSupervisor.state().join())
        .isEqualTo(new State.Down("the process ended (exit 3)"));
  }

  @Test
  void aLongRunResetsThePause(@TempDir Path directory) throws IOException {
    supervise(
        List.of("sh", "-c", "echo x >> %s/starts; exit 3".formatted(directory)),
        new Pauses(10, 60_000, 0),
        ProcessFixture.MILLIS);

    await().until(() -> starts(directory).size() >= 14);
  }

  @Test
  void aRetiredProcessAnswersOpenRequestsAndIsNotRestarted() {
    ProcessSupervisor processSupervisor =
        supervise(StdioTestServer.command(Mode.SESSIONS), SHORT, ProcessFixture.MILLIS);
    StdioClient stdioClient = awaitUp(processSupervisor).client();
    CompletableFuture<RequestResult> answer = call(stdioClient, "echo");

    processSupervisor.retire(ProcessFixture.MILLIS);

    assertThat(line(answer.join())).contains("said");
    assertThat(stdioClient.ended().join()).isEqualTo(new ChildProcess.Exit.Ended(0));
    assertThat(processSupervisor.state().join())
        .isEqualTo(new State.Down("the source is no longer there"));
  }

  @Test
  void endCompletesWhenTheProcessHasEnded() {
    ProcessSupervisor processSupervisor =
        supervise(StdioTestServer.command(Mode.SESSIONS), SHORT, ProcessFixture.MILLIS);
    StdioClient stdioClient = awaitUp(processSupervisor).client();

    processSupervisor.end().join();

    assertThat(stdioClient.ended()).isDone();
    assertThat(processSupervisor.isUp()).isFalse();
  }

  private ProcessSupervisor supervise(List<String> command, Pauses pauses, long startMillisMax) {
    ProcessSupervisor processSupervisor =
        new ProcessSupervisor(
            ProcessFixture.launchSpec(command),
            ProcessFixture.LIMITS,
            pauses,
            text -> text,
            processFixture.timer,
            "0.0",
            startMillisMax);
    supervisors.add(processSupervisor);
    processSupervisor.start();
    return processSupervisor;
  }

  /** Waits until the process is up, also after failed starts. */
  private static State.Up awaitUp(ProcessSupervisor processSupervisor) {
    await().until(processSupervisor::isUp);
    return (State.Up) processSupervisor.state().join();
  }

  private static Instant instant(String seconds) {
    int point = seconds.indexOf('.');
    return Instant.ofEpochSecond(
        Long.parseLong(seconds.substring(0, point)), Long.parseLong(seconds.substring(point + 1)));
  }

  private static List<String> starts(Path directory) throws IOException {
    Path file = directory.resolve("starts");
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }
}
