package gatebook.api.cli.replay;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.cli.Ended;
import gatebook.api.cli.PretendServer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ReplayCommandTest {
  private static final String STARTED =
      """
      {"projection":"calls","replay":{"from":0,"position":0,"target":1000}}
      """;
  private static final String HALF_WAY =
      """
      {"projections":[{"name":"denials","position":9,"lag":0,"state":"up-to-date"},
        {"name":"calls","position":1000,"lag":0,"state":"up-to-date","parked":0,
         "replay":{"from":0,"position":500,"target":1000,"eventsPerSecond":1234.5,"secondsLeft":75}}]}
      """;
  private static final String ENDED =
      """
      {"projections":[{"name":"calls","position":1002,"lag":0,"state":"up-to-date","parked":0,
        "lastReplay":{"outcome":"replaced"}}]}
      """;

  private PretendServer server;

  @BeforeEach
  void start() throws IOException {
    server = new PretendServer();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void progressIsToldUntilTheReplayHasEnded() {
    server.answers("audit.replay", STARTED);
    server.answers("audit.projections", HALF_WAY);
    server.answers("audit.projections", ENDED);

    assertThat(server.run(replay(false), "--projection", "calls"))
        .isEqualTo(
            new Ended(
                0,
                "the replay of calls has ended: it answers up to position 1002\n",
                """
                calls [░░░░░░░░░░░░░░░░░░░░░░░░]   0 %  0 of 1,000
                calls [████████████░░░░░░░░░░░░]  50 %  500 of 1,000, 1,235 events/s, 1 min 15 s left
                """));
    assertThat(server.asked())
        .containsExactly(
            "audit.replay {\"projection\":\"calls\"}",
            "audit.projections {}",
            "audit.projections {}");
  }

  @Test
  void onATerminalProgressIsShownInPlace() {
    server.answers("audit.replay", STARTED);
    server.answers("audit.projections", ENDED);

    assertThat(server.run(replay(true), "--projection", "calls").err())
        .isEqualTo("\rcalls [░░░░░░░░░░░░░░░░░░░░░░░░]   0 %  0 of 1,000\u001b[K\n");
  }

  @Test
  void programsGetOneDocumentWhenItHasEnded() {
    server.answers("audit.replay", STARTED);
    server.answers("audit.projections", ENDED);

    Ended ended = server.run(replay(false), "--projection", "calls", "--json");

    assertThat(PretendServer.document(ended).toString())
        .isEqualTo(
            "{\"name\":\"calls\",\"position\":1002,\"lag\":0,\"state\":\"up-to-date\","
                + "\"parked\":0,\"lastReplay\":{\"outcome\":\"replaced\"}}");
    assertThat(ended.code()).isZero();
  }

  @Test
  void aViewThatFailsIsTold() {
    server.answers("audit.replay", STARTED);
    server.answers(
        "audit.projections",
        "{\"projections\":[{\"name\":\"calls\",\"state\":\"failing\",\"failure\":\"disk full\","
            + "\"lastReplay\":{\"outcome\":\"replaced\"}}]}");

    Ended ended = server.run(replay(false), "--projection", "calls");

    assertThat(ended.out())
        .isEqualTo("the replay of calls has ended, and the view fails: disk full\n");
    assertThat(ended.code()).isEqualTo(1);
  }

  @Test
  void aReplayThatWasNotFinishedIsTold() {
    for (String how :
        List.of("\"outcome\":\"cancelled\"", "\"outcome\":\"failed\",\"error\":\"disk full\"")) {
      server.answers("audit.replay", STARTED);
      server.answers(
          "audit.projections",
          "{\"projections\":[{\"name\":\"calls\",\"lastReplay\":{%s}}]}".formatted(how));
    }

    Ended cancelled = server.run(replay(false), "--projection", "calls");
    Ended failed = server.run(replay(false), "--projection", "calls");

    assertThat(cancelled.out())
        .isEqualTo("the replay of calls was not finished (cancelled), the view stays as it was\n");
    assertThat(failed.out())
        .isEqualTo(
            "the replay of calls was not finished (failed), the view stays as it was: disk full\n");
    assertThat(List.of(cancelled.code(), failed.code())).containsExactly(1, 1);
  }

  @Test
  void aServerThatGoesAwayIsTold() {
    server.answers("audit.replay", STARTED);
    server.refuses("audit.projections", "this node is stopping: ask again later");

    Ended ended = server.run(replay(false), "--projection", "calls");

    assertThat(ended.err())
        .endsWith(
            "this node is stopping: ask again later; the replay may go on without this command\n");
    assertThat(ended.code()).isEqualTo(1);
  }

  @Test
  void whatIsNotStartedIsNotFollowed() {
    server.refuses("audit.replay", "a replay of calls runs already");

    assertThat(server.run(replay(false), "--projection", "calls"))
        .isEqualTo(new Ended(1, "", "a replay of calls runs already\n"));
    assertThat(server.asked()).hasSize(1);
  }

  @Test
  void itMayBeginAtAPositionOrATime() {
    server.refuses("audit.replay", "no");

    server.run(replay(false), "--projection", "calls", "--from", "4711");
    server.run(replay(false), "--projection", "calls", "--from", "2026-01-02T03:04:05Z");

    assertThat(server.asked())
        .containsExactly(
            "audit.replay {\"projection\":\"calls\",\"fromPosition\":4711}",
            "audit.replay {\"projection\":\"calls\",\"fromTime\":\"2026-01-02T03:04:05Z\"}");
  }

  @Test
  void itCanBeCancelled() {
    server.answers("audit.cancelReplay", "{\"projection\":\"calls\",\"cancelled\":true}");
    server.answers("audit.cancelReplay", "{\"projection\":\"calls\",\"cancelled\":false}");

    assertThat(server.run(replay(false), "--projection", "calls", "--cancel"))
        .isEqualTo(new Ended(0, "cancelled: calls stays as it was\n", ""));
    assertThat(server.run(replay(false), "--projection", "calls", "--cancel"))
        .isEqualTo(new Ended(1, "nothing to cancel: no replay of calls runs\n", ""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "order-7 --projection=calls",
        "order-7 --from=7",
        "--projection=calls --from=soon",
        "--projection=calls --from=-1",
        "--projection=calls --cancel --from=7"
      })
  void calledWronglyItSaysSoAndAsksNobody(String arguments) {
    Ended ended = server.run(replay(false), arguments.split(" ", -1));

    assertThat(ended.code()).isEqualTo(2);
    assertThat(ended.err()).isNotBlank();
    assertThat(server.asked()).isEmpty();
  }

  private static ReplayCommand replay(boolean inPlace) {
    return new ReplayCommand(
        spec -> new ProgressOutput(spec.commandLine().getErr(), inPlace, Duration.ofMillis(1)));
  }
}
