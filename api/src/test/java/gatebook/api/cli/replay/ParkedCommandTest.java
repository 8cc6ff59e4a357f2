package gatebook.api.cli.replay;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.cli.CommandRun;
import gatebook.api.cli.FakeOperatorServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ParkedCommandTest {

  @AutoClose private final FakeOperatorServer server = new FakeOperatorServer();

  @Test
  void parkedEventsAreATable() {
    server.returns(
        "audit.parked",
        """
        {"parked":[{"projection":"calls","position":7,"callId":"c1","name":"CallReceived",
          "at":"2026-01-02T03:04:05Z","error":"no \\u0007member","parkedAt":"2026-01-02T03:04:06.5Z",
          "attempts":2}],"more":true}
        """);

    assertThat(server.run(new ParkedCommand(), "--projection", "calls", "--limit", "1"))
        .isEqualTo(
            new CommandRun(
                0,
                """
                projection  position  name          callId  at                    attempts  parkedAt              error
                calls       7         CallReceived  c1      2026-01-02T03:04:05Z  2         2026-01-02T03:04:06Z  no ⟨U+0007⟩member
                and more: raise --limit, or shorten the period
                """,
                ""));
    assertThat(server.requests())
        .containsExactly(
            """
            audit.parked {"projection":"calls","limit":1}\
            """);
  }

  @Test
  void noParkedEventsAreReported() {
    server.returns(
        "audit.parked",
        """
        {"parked":[],"more":false}\
        """);

    assertThat(server.run(new ParkedCommand()))
        .isEqualTo(new CommandRun(0, "nothing is parked\n", ""));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "done|0|event 7 of calls is in the view now",
        "failed|1|event 7 of calls failed again: e",
        "waits|1|event 7 of calls waits: e",
        "none|1|event 7 of calls is not parked"
      })
  void anEventCanBeRetried(String outcome, int code, String line) {
    server.returns(
        "audit.retryParked",
        """
        {"projection":"calls","position":7,"outcome":"%s","error":"e"}\
        """
            .formatted(outcome));

    assertThat(server.run(new ParkedCommand(), "--retry", "7", "--projection", "calls"))
        .isEqualTo(new CommandRun(code, line + "\n", ""));
    assertThat(server.requests())
        .containsExactly(
            """
            audit.retryParked {"projection":"calls","position":7}\
            """);
  }

  @Test
  void anEventCanBeDiscarded() {
    server.returns(
        "audit.discardParked",
        """
        {"projection":"calls","position":7,"outcome":"discarded"}\
        """);

    assertThat(server.run(new ParkedCommand(), "--discard", "7", "--projection", "calls"))
        .isEqualTo(new CommandRun(0, "event 7 of calls was discarded\n", ""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--retry 7",
        "--projection calls --retry 7 --discard 7",
        "--projection calls --retry 7 --limit 2",
        "--projection calls --retry x",
        "more"
      })
  void wrongUsageIsReportedWithoutARequest(String arguments) {
    assertThat(server.run(new ParkedCommand(), arguments.split(" ", -1)).code()).isEqualTo(2);
    assertThat(server.requests()).isEmpty();
  }

  @Test
  void viewsAreATableAndAFailingOneFails() {
    server.returns(
        "audit.projections",
        """
        {"projections":[
          {"name":"calls","position":1000,"lag":0,"state":"up-to-date","parked":0,
           "replay":{"from":0,"position":450,"target":1000,"secondsLeft":16,"failure":"locked"}},
          {"name":"denials","position":8,"lag":992,"state":"failing","parked":3,"failure":"disk full"}]}
        """);

    assertThat(server.run(new ProjectionsCommand()))
        .isEqualTo(
            new CommandRun(
                1,
                """
                name     position  lag  state       parked  replay                          failure
                calls    1000      0    up-to-date  0       45 %, 16 s left, fails: locked  -
                denials  8         992  failing     3       -                               disk full
                """,
                ""));
    assertThat(server.run(new ProjectionsCommand(), "--json").code()).isEqualTo(1);
  }
}
