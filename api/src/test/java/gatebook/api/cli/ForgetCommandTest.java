package gatebook.api.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

final class ForgetCommandTest {

  @AutoClose private final FakeOperatorServer server = new FakeOperatorServer();

  @Test
  void anErasureSaysWhatMayStillHoldTheKeys() {
    server.returns(
        "content.forget",
        """
        {"principal":"joe","outcome":"erased","erasureId":"e1","keys":3,"until":"2026-01-31",
         "heldCalls":1,"notReached":0,"mayStillHoldKeys":["a backup of 2026-01-01"]}
        """);

    assertThat(
            server.run(
                new ForgetCommand(),
                "--principal",
                "joe",
                "--since",
                "2026-01-01",
                "--reason",
                "asked"))
        .isEqualTo(
            new CommandRun(
                0,
                """
                erased: 3 keys of joe, up to 2026-01-31; 1 held calls ended (erasure e1)
                may still hold the keys: a backup of 2026-01-01
                """,
                ""));
    assertThat(server.requests())
        .containsExactly(
            """
            content.forget {"since":"2026-01-01","principal":"joe","reason":"asked","dryRun":false}\
            """);
  }

  @Test
  void eventsThatAreNotReachedEndWithOne() {
    server.returns(
        "content.forget",
        """
        {"principal":"joe","outcome":"nothing-to-erase","keys":0,"notReached":4}\
        """);

    assertThat(run())
        .isEqualTo(
            new CommandRun(
                1,
                """
                nothing to erase: there are no keys of joe
                4 events from before content was sealed are not reached: they leave by retention of events
                """,
                ""));
  }

  @Test
  void legalHoldsEndWithOne() {
    server.returns(
        "content.forget",
        """
        {"principal":"joe","outcome":"refused","erasureId":"e1","keys":0,"holds":["case 7"]}\
        """);

    assertThat(run()).isEqualTo(new CommandRun(1, "refused by legal holds: case 7\n", ""));
  }

  @Test
  void jsonIsTheResultAsItCame() {
    server.returns(
        "content.forget",
        """
        {"principal":"joe","outcome":"unfinished","erasureId":"e1","reason":"full","keys":0}\
        """);

    CommandRun commandRun = run("--json");

    assertThat(commandRun.code()).isEqualTo(1);
    assertThat(commandRun.out()).contains("\"outcome\" : \"unfinished\"");
  }

  @Test
  void wrongUsageIsReported() {
    assertThat(server.run(new ForgetCommand()).code()).isEqualTo(2);
    assertThat(server.run(new ForgetCommand(), "--principal", "joe").code()).isEqualTo(2);
    assertThat(server.run(new ForgetCommand(), "--containing", "a").err())
        .contains("add --dry-run");
    assertThat(server.requests()).isEmpty();
  }

  private CommandRun run(String... options) {
    String[] all = new String[options.length + 4];
    System.arraycopy(options, 0, all, 4, options.length);
    all[0] = "--principal";
    all[1] = "joe";
    all[2] = "--reason";
    all[3] = "asked";
    return server.run(new ForgetCommand(), all);
  }
}
