package gatebook.api.upstream.process;

import static gatebook.api.upstream.process.Played.call;
import static gatebook.api.upstream.process.Played.line;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.api.upstream.process.PlayedServer.Mode;
import gatebook.api.upstream.process.Supervisor.Pauses;
import gatebook.api.upstream.process.Supervisor.State;
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

class SupervisorTest {

  private static final Pauses SHORT = new Pauses(20, 80, 60_000);

  private final Played played = new Played();
  private final List<Supervisor> supervisors = new ArrayList<>();

  @AfterEach
  void close() {
    supervisors.forEach(supervisor -> supervisor.end().join());
    played.close();
  }

  @ParameterizedTest
  @EnumSource(names = {"SESSIONS", "SILENT", "TOUCHY"})
  void aServerOfSessionsIsIntroducedToWhateverItMakesOfOurFirstQuestion(Mode mode) {
    Supervisor supervisor = keeping(PlayedServer.command(mode), SHORT, Played.MILLIS);

    State.Up up = up(supervisor);

    assertThat(up.era())
        .isEqualTo(
            new Era.Sessions(
                "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},"
                    + "\"serverInfo\":{\"name\":\"played\",\"version\":\"1\"}}"));
    assertThat(line(call(up.dialogue(), "notices").join()))
        .contains("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
  }

  @Test
  void aStatelessServerIsSpokenToInAVersionThatBothKnow() {
    Supervisor supervisor = keeping(PlayedServer.command(Mode.STATELESS), SHORT, Played.MILLIS);

    Era era = up(supervisor).era();

    assertThat(era)
        .isEqualTo(
            new Era.Stateless(
                "2026-07-28",
                "{\"name\":\"gatebook\",\"version\":\"0.0\"}",
                "{\"supportedVersions\":[\"2099-01-01\",\"2026-07-28\"],\"capabilities\":{}}"));
    assertThat(era.dressed("{\"name\":\"a\"}"))
        .isEqualTo(
            "{\"name\":\"a\",\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                + "\"io.modelcontextprotocol/clientCapabilities\":{},"
                + "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"gatebook\",\"version\":\"0.0\"}}}");
    String own = "{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"x\"}}";
    assertThat(era.dressed(own)).isEqualTo(own);
    assertThat(era.dressed("[]")).isEqualTo("[]");
  }

  @Test
  void whoAnswersNothingInTimeIsEndedAndStartedAgain(@TempDir Path directory) {
    Supervisor supervisor =
        keeping(
            List.of("sh", "-c", "echo x >> %s/starts; cat >/dev/null".formatted(directory)),
            SHORT,
            500);

    assertThat(supervisor.state().join())
        .isEqualTo(new State.Down("it answers neither server/discover nor initialize"));
    await().until(() -> starts(directory).size() > 1);
  }

  @Test
  void whoEndsIsStartedAgainAndTheServersOwnQuestionsAreAnswered() {
    Supervisor supervisor = keeping(PlayedServer.command(Mode.SESSIONS), SHORT, Played.MILLIS);
    Dialogue first = up(supervisor).dialogue();
    CompletableFuture<Ending> asking = call(first, "ask");
    assertThat(line(asking.join()))
        .contains("{\"reply\":{\"jsonrpc\":\"2.0\",\"id\":\"srv-1\",\"error\":{\"code\":-32601,");

    call(first, "die").join();

    await().until(() -> supervisor.isUp() && up(supervisor).dialogue() != first);
    assertThat(line(call(up(supervisor).dialogue(), "echo").join())).contains("said");
  }

  @Test
  void thePauseDoublesUpToTheLongest(@TempDir Path directory) throws IOException {
    Supervisor supervisor =
        keeping(
            List.of("sh", "-c", "date +%s.%N >> %s/starts; exit 3".replace("%s/", directory + "/")),
            new Pauses(50, 400, 60_000),
            Played.MILLIS);

    await().until(() -> starts(directory).size() >= 6);

    List<Instant> starts = starts(directory).stream().map(SupervisorTest::instant).toList();
    List<Long> leastMillis = List.of(50L, 100L, 200L, 400L, 400L);
    for (int i = 0; i < leastMillis.size(); i++) {
      assertThat(Duration.between(starts.get(i), starts.get(i + 1)).toMillis())
          .as("pause %d", i + 1)
          .isGreaterThanOrEqualTo(leastMillis.get(i));
    }
    assertThat(supervisor.state().join()).isEqualTo(new State.Down("the process ended (exit 3)"));
  }

  @Test
  void aRunThatWasLongEnoughBeginsThePausesAnew(@TempDir Path directory) throws IOException {
    keeping(
        List.of("sh", "-c", "echo x >> %s/starts; exit 3".formatted(directory)),
        new Pauses(10, 60_000, 0),
        Played.MILLIS);

    await().until(() -> starts(directory).size() >= 14);
  }

  @Test
  void whoIsRetiredAnswersWhatItWasAskedAndIsNotStartedAgain() {
    Supervisor supervisor = keeping(PlayedServer.command(Mode.SESSIONS), SHORT, Played.MILLIS);
    Dialogue dialogue = up(supervisor).dialogue();
    CompletableFuture<Ending> asked = call(dialogue, "echo");

    supervisor.retire(Played.MILLIS);

    assertThat(line(asked.join())).contains("said");
    assertThat(dialogue.ended().join()).isEqualTo(new Child.Exit.Ended(0));
    assertThat(supervisor.state().join())
        .isEqualTo(new State.Down("the source is no longer there"));
  }

  @Test
  void whoIsEndedIsGoneThen() {
    Supervisor supervisor = keeping(PlayedServer.command(Mode.SESSIONS), SHORT, Played.MILLIS);
    Dialogue dialogue = up(supervisor).dialogue();

    supervisor.end().join();

    assertThat(dialogue.ended()).isDone();
    assertThat(supervisor.isUp()).isFalse();
  }

  private Supervisor keeping(List<String> command, Pauses pauses, long startMillisMax) {
    Supervisor supervisor =
        new Supervisor(
            Played.how(command),
            Played.BOUNDS,
            pauses,
            text -> text,
            played.timer,
            "0.0",
            startMillisMax);
    supervisors.add(supervisor);
    supervisor.begin();
    return supervisor;
  }

  /** Once it is, also after some starts that came to nothing. */
  private static State.Up up(Supervisor supervisor) {
    await().until(supervisor::isUp);
    return (State.Up) supervisor.state().join();
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
