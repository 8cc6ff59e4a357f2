package gatebook.api.cli.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.cli.CommandRun;
import gatebook.api.cli.FakeOperatorServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

final class CallsCommandTest {

  @AutoClose private final FakeOperatorServer server = new FakeOperatorServer();

  @Test
  void eachCallHasItsRow() {
    server.returns(
        "audit.calls",
        """
        {"position":9,"upToDate":true,"cursor":"7","calls":[
          {"callId":"c1","correlationId":"order-7","dialect":"mcp","method":"tools/call",
           "target":"delete\\u001b[2J","principal":"alice","status":"denied","gate":"governance",
           "code":-32014,"fault":"GovernanceRuleDenied","receivedAt":"2026-01-02T03:04:05.006Z",
           "durationMillis":1}]}
        """);

    assertThat(server.run(new CallsCommand(), "--limit=1"))
        .isEqualTo(
            new CommandRun(
                0,
                """
                receivedAt            callId  status  gate        code    dialect  method      tool               principal  duration  correlationId
                2026-01-02T03:04:05Z  c1      denied  governance  -32014  mcp      tools/call  delete⟨U+001B⟩[2J  alice      1 ms      order-7
                and older ones: --cursor 7
                """,
                ""));
  }

  @Test
  void optionsBecomeParams() {
    server.returns(
        "audit.calls",
        """
        {"calls":[],"upToDate":true}\
        """);

    CommandRun commandRun =
        server.run(
            new CallsCommand(),
            "--status=denied",
            "--gate=policy",
            "--dialect=mcp",
            "--method=tools/call",
            "--target=pay",
            "--principal=alice",
            "--code=-32003",
            "--fault=PolicyDenied",
            "--correlation=order-7",
            "--since=2026-01-02T03:04:05Z",
            "--limit=5",
            "--cursor=7");

    assertThat(commandRun.out()).isEqualTo("no such calls\n");
    assertThat(server.requests())
        .containsExactly(
            """
            audit.calls {"since":"2026-01-02T03:04:05Z","status":"denied",\
            "gate":"policy","dialect":"mcp","method":"tools/call",\
            "target":"pay","principal":"alice","fault":"PolicyDenied",\
            "correlationId":"order-7","cursor":"7","code":-32003,"limit":5}\
            """);
  }

  @Test
  void wrongUsageIsReportedWithoutARequest() {
    assertThat(server.run(new CallsCommand(), "--since=soon").code()).isEqualTo(2);
    assertThat(server.run(new CallsCommand(), "--code=x").code()).isEqualTo(2);
    assertThat(server.run(new CallsCommand(), "extra").code()).isEqualTo(2);
    assertThat(server.requests()).isEmpty();
  }
}
