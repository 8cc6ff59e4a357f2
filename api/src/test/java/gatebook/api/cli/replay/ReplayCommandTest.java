package gatebook.api.cli.replay;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.cli.CommandRun;
import gatebook.api.cli.FakeOperatorServer;
import gatebook.api.cli.text.ProgressOutput;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
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

  @AutoClose private final FakeOperatorServer server = new FakeOperatorServer();

  @Test
  void progressIsPrintedUntilTheRebuildEnds() {
    server.returns("audit.replay", STARTED);
    server.returns("audit.projections", HALF_WAY);
    server.returns("audit.projections", ENDED);

    assertThat(server.run(replay(false), "--projection", "calls"))
        .isEqualTo(
            new CommandRun(
                0,
                "the rebuild of calls has ended: the view is at position 1002\n",
                """
                calls [░░░░░░░░░░░░░░░░░░░░░░░░]   0 %  0 of 1,000
                calls [████████████░░░░░░░░░░░░]  50 %  500 of 1,000, 1,235 events/s, 1 min 15 s left
                """));
    assertThat(server.requests())
        .containsExactly(
            """
            audit.replay {"projection":"calls"}\
            """,
            "audit.projections {}",
            "audit.projections {}");
  }

  @Test
  void onATerminalProgressIsShownInPlace() {
    server.returns("audit.replay", STARTED);
    server.returns("audit.projections", ENDED);

    assertThat(server.run(replay(true), "--projection", "calls").err())
        .isEqualTo("\rcalls [░░░░░░░░░░░░░░░░░░░░░░░░]   0 %  0 of 1,000\u001b[K\n");
  }

  @Test
  void jsonOutputIsOneDocumentAtTheEnd() {
    server.returns("audit.replay", STARTED);
    server.returns("audit.projections", ENDED);

    CommandRun commandRun = server.run(replay(false), "--projection", "calls", "--json");

    assertThat(FakeOperatorServer.document(commandRun).toString())
        .isEqualTo(
            """
            {"name":"calls","position":1002,"lag":0,"state":"up-to-date",\
            "parked":0,"lastReplay":{"outcome":"replaced"}}\
            """);
    assertThat(commandRun.code()).isZero();
  }

  @Test
  void aFailingViewIsReported() {
    server.returns("audit.replay", STARTED);
    server.returns(
        "audit.projections",
        """
        {"projections":[{"name":"calls","state":"failing","failure":"disk full",\
        "lastReplay":{"outcome":"replaced"}}]}\
        """);

    CommandRun commandRun = server.run(replay(false), "--projection", "calls");

    assertThat(commandRun.out())
        .isEqualTo("the rebuild of calls has ended, and the view fails: disk full\n");
    assertThat(commandRun.code()).isEqualTo(1);
  }

  @Test
  void anUnfinishedRebuildIsReported() {
    for (String how :
        List.of(
            "\"outcome\":\"cancelled\"",
            """
            "outcome":"failed","error":"disk full"\
            """)) {
      server.returns("audit.replay", STARTED);
      server.returns(
          "audit.projections",
          """
          {"projections":[{"name":"calls","lastReplay":{%s}}]}\
          """
              .formatted(how));
    }

    CommandRun cancelled = server.run(replay(false), "--projection", "calls");
    CommandRun failed = server.run(replay(false), "--projection", "calls");

    assertThat(cancelled.out())
        .isEqualTo("the rebuild of calls was not finished (cancelled), the view stays as it was\n");
    assertThat(failed.out())
        .isEqualTo(
            "the rebuild of calls was not finished (failed), the view stays as it was: disk"
                + " full\n");
    assertThat(List.of(cancelled.code(), failed.code())).containsExactly(1, 1);
  }

  @Test
  void aStoppingServerIsReported() {
    server.returns("audit.replay", STARTED);
    server.returnsError("audit.projections", "this node is stopping: try again later");

    CommandRun commandRun = server.run(replay(false), "--projection", "calls");

    assertThat(commandRun.err())
        .endsWith(
            "this node is stopping: try again later; the rebuild may continue without this"
                + " command\n");
    assertThat(commandRun.code()).isEqualTo(1);
  }

  @Test
  void aRefusedRebuildIsNotWatched() {
    server.returnsError("audit.replay", "a rebuild of calls is running");

    assertThat(server.run(replay(false), "--projection", "calls"))
        .isEqualTo(new CommandRun(1, "", "a rebuild of calls is running\n"));
    assertThat(server.requests()).hasSize(1);
  }

  @Test
  void aRebuildMayStartAtAPositionOrTime() {
    server.returnsError("audit.replay", "no");

    server.run(replay(false), "--projection", "calls", "--from", "4711");
    server.run(replay(false), "--projection", "calls", "--from", "2026-01-02T03:04:05Z");

    assertThat(server.requests())
        .containsExactly(
            """
            audit.replay {"projection":"calls","fromPosition":4711}\
            """,
            """
            audit.replay {"projection":"calls","fromTime":"2026-01-02T03:04:05Z"}\
            """);
  }

  @Test
  void aRebuildCanBeCancelled() {
    server.returns(
        "audit.cancelReplay",
        """
        {"projection":"calls","cancelled":true}\
        """);
    server.returns(
        "audit.cancelReplay",
        """
        {"projection":"calls","cancelled":false}\
        """);

    assertThat(server.run(replay(false), "--projection", "calls", "--cancel"))
        .isEqualTo(new CommandRun(0, "cancelled: calls stays as it was\n", ""));
    assertThat(server.run(replay(false), "--projection", "calls", "--cancel"))
        .isEqualTo(new CommandRun(1, "nothing to cancel: no rebuild of calls is running\n", ""));
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
  void wrongUsageIsReportedWithoutARequest(String arguments) {
    CommandRun commandRun = server.run(replay(false), arguments.split(" ", -1));

    assertThat(commandRun.code()).isEqualTo(2);
    assertThat(commandRun.err()).isNotBlank();
    assertThat(server.requests()).isEmpty();
  }

  private static ReplayCommand replay(boolean inPlace) {
    return new ReplayCommand(
        spec -> new ProgressOutput(spec.commandLine().getErr(), inPlace, Duration.ofMillis(1)));
  }
}
