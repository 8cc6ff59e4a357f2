package gatebook.api.cli.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.cli.CommandRun;
import gatebook.api.cli.FakeOperatorServer;
import gatebook.api.operator.rpc.OperatorTestNode;
import gatebook.events.CallReceived;
import gatebook.events.ErrorTranslated;
import gatebook.events.GateDenied;
import gatebook.events.ReceivedCall;
import gatebook.events.call.Action;
import gatebook.events.call.Bytes;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Dialect;
import gatebook.events.call.Digest;
import gatebook.events.call.ErrorResponse;
import gatebook.events.call.JsonValue;
import gatebook.events.call.KeptContent;
import gatebook.events.call.Ruling;
import gatebook.events.call.Verdict;
import gatebook.events.fault.Denied.GovernanceRuleDenied;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
final class LookupCommandTest {
  private static final UUID CALL = UUID.fromString("0192aaaa-0000-7000-8000-00000000abcd");
  private static final Instant RECEIVED_AT = Instant.parse("2026-01-02T03:04:05Z");
  private static final String RULES = "sha256:0123456789abcdef0123456789abcdef";

  @TempDir private Path data;

  private OperatorTestNode node;

  @BeforeEach
  void start() throws Exception {
    node = new OperatorTestNode(data);
    node.append(received("delete_all\u001b[2J"), denied(), translated());
  }

  @AfterEach
  void stop() {
    node.close();
  }

  @Test
  void readingTheArchiveIsSaid() {
    try (FakeOperatorServer server = new FakeOperatorServer()) {
      server.returns(
          "audit.lookup",
          """
          {"calls": [{"callId": "%s", "status": "denied", "archived": true, "events": []}]}
          """
              .formatted(CALL));

      assertThat(server.run(new LookupCommand(), "order-7").out())
          .endsWith("events of this call were read from the archive, which takes longer\n");
    }
  }

  @Test
  void droppedEventsAreSaid() {
    try (FakeOperatorServer server = new FakeOperatorServer()) {
      server.returns(
          "audit.lookup",
          """
          {"calls": [], "notFound": {"reason": "dropped", "message": "nothing has this id"},
           "droppedThrough": "2026-01-02T03:04:05Z"}
          """);

      assertThat(server.run(new LookupCommand(), "order-7").out())
          .isEqualTo(
              """
              not found: nothing has this id
              events were dropped through 2026-01-02T03:04:05Z
              """);
    }
  }

  @Test
  void aCallIsShownStepByStep() {
    CommandRun commandRun = run("order-7");

    assertThat(commandRun.out().lines())
        .containsExactly(
            "call 0192aaaa-0000-7000-8000-00000000abcd was denied by gate governance with -32014"
                + " GovernanceRuleDenied",
            "   mcp tools/call delete_all⟨U+001B⟩[2J by alice at 2026-01-02T03:04:05Z correlation"
                + " order-7 took 3.0 ms",
            "",
            "since start  step    position  event",
            "+0.0 ms      0.0 ms  #1        CallReceived     transport http, method tools/call,"
                + " rpcId 1, source demo, target delete_all⟨U+001B⟩[2J, arguments 9 bytes"
                + " {\"now\":[]}, rules sha256:0123456789ab",
            "+0.0 ms      0.0 ms            gate             governance: deny rule (action deny,"
                + " rule 3, pattern delete_*, rules sha256:0123456789ab) in 7 µs",
            "+0.0 ms      0.0 ms  #2        GateDenied       target delete_all",
            "+3.0 ms      3.0 ms  #3        ErrorTranslated  target delete_all, attempts 0,"
                + " total 3 ms",
            "                                                because GovernanceRuleDenied: tool"
                + " delete_all, rule delete_*",
            "                                                told -32014 denied (gate governance,"
                + " retry after 3)");
    assertThat(commandRun.code()).isEqualTo(0);
  }

  @Test
  void theIdMayHaveAnyCaseBlanksAndNoDashes() {
    assertThat(run(" " + CALL.toString().toUpperCase(Locale.ROOT) + "\n").code()).isEqualTo(0);
    assertThat(run(CALL.toString().replace("-", "")).code()).isEqualTo(0);
  }

  @Test
  void jsonOutputIsOneDocument() throws Exception {
    CommandRun commandRun = run("order-7", "--json");

    assertThat(new JsonMapper().readTree(commandRun.out()).at("/calls/0/callId").asText())
        .isEqualTo(CALL.toString());
    assertThat(commandRun.code()).isEqualTo(0);
  }

  @Test
  void aCallIsShownAsItWasAtATime() {
    assertThat(run("order-7", "--as-of", "1999-12-31T23:59:59Z").out())
        .isEqualTo("not found: what this id refers to came later\n");
    assertThat(run("order-7", "--as-of", "2126-01-02T03:04:05Z").out())
        .isEqualTo(run("order-7").out());
    assertThat(run("order-7", "--as-of", "once").code()).isEqualTo(2);
  }

  @Test
  void anUnknownIdIsReported() {
    CommandRun missing =
        new CommandRun(1, "not found: nothing up to position 3 has this id%n".formatted(), "");
    assertThat(run("order-8")).isEqualTo(missing);
    assertThat(run("order-8", "--json").code()).isEqualTo(1);
  }

  @Test
  void wrongUsageIsReported() {
    assertThat(run().code()).isEqualTo(2);
    assertThat(run("a", "b").code()).isEqualTo(2);
    assertThat(run("order-7", "--token", "another").err()).contains("does not accept this token");
  }

  private CommandRun run(String... arguments) {
    return CommandRun.of(new LookupCommand(), List.of("--data", data.toString()), arguments);
  }

  private static CallReceived received(String tool) {
    return ReceivedCall.of(CALL, RECEIVED_AT)
        .to("demo", tool)
        .with(
            new KeptContent(
                9, new Digest("k1", Bytes.of(new byte[32])), JsonValue.parse("{\"now\":[]}"), null),
            null)
        .under(RULES)
        .event();
  }

  private static GateDenied denied() {
    return new GateDenied(
        CALL,
        RULES,
        "delete_all",
        "alice",
        List.of(
            new Ruling.Governance(
                new Verdict.Deny(DenialReason.RULE, null), Action.DENY, 3, "delete_*", 7)));
  }

  private static ErrorTranslated translated() {
    return new ErrorTranslated(
        CALL,
        "delete_all",
        new GovernanceRuleDenied("delete_all", "delete_*", false),
        new ErrorResponse(
            Dialect.MCP,
            -32014,
            "denied",
            JsonValue.parse(
                """
                {"correlation_id":"order-7","gate":"governance","retry_after":3,\
                "cause":null}\
                """),
            200),
        0,
        null,
        3);
  }
}
