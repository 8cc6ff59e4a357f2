package gatebook.api.cli.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.cli.CommandRun;
import gatebook.api.operator.rpc.OperatorTestNode;
import gatebook.events.CallReceived;
import gatebook.events.ErrorTranslated;
import gatebook.events.GateDenied;
import gatebook.events.ReceivedCall;
import gatebook.events.RulesActivated;
import gatebook.events.call.Action;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Dialect;
import gatebook.events.call.ErrorResponse;
import gatebook.events.call.Exposure;
import gatebook.events.call.JsonValue;
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
final class ReplayCallTest {
  private static final UUID CALL = UUID.fromString("0192aaaa-0000-7000-8000-00000000abcd");
  private static final UUID FORGED = UUID.fromString("0192aaaa-0000-7000-8000-00000000abce");
  private static final Instant RECEIVED_AT = Instant.parse("2026-01-02T03:04:05Z");
  private static final String RULES = "sha256:0123456789abcdef0123456789abcdef";

  @TempDir private Path data;

  private OperatorTestNode node;

  @BeforeEach
  void start() throws Exception {
    node = new OperatorTestNode(data);
    node.append(
        new RulesActivated(
            RULES,
            """
            schema: 1
            sources: [{id: demo, kind: demo}]
            governance:
              defaults: {action: forward}
              rules: [{match: "delete_*", action: deny}]
            """,
            List.of(),
            null,
            "an engine"));
    node.append(received(CALL, "delete_\u001b[2J"), denied(CALL), translated(CALL));
    node.append(received(FORGED, "echo"), denied(FORGED), translated(FORGED));
  }

  @AfterEach
  void stop() {
    node.close();
  }

  @Test
  void aCallIsShownAndRedecided() {
    CommandRun commandRun = run(CALL.toString());

    assertThat(commandRun.out().lines())
        .containsExactly(
            "call 0192aaaa-0000-7000-8000-00000000abcd correlation order-7",
            "",
            "+0 ms  #2  CallReceived     held                                                      "
                + "  principal alice, target delete_⟨U+001B⟩[2J, source demo, rulesHash"
                + " sha256:0123456789ab",
            "+0 ms  #3  GateDenied       denied by gate governance",
            "+3 ms  #4  ErrorTranslated  denied by gate governance with -32014 GovernanceRuleDenied"
                + "  duration 3 ms",
            "",
            "then: denied by governance: rule, by the rules sha256:0123456789ab in force then,"
                + " since 2026-01-02T03:04:05.000000006Z",
            "  visibility  pass       (exposure all)",
            "  governance  deny rule  (action deny, rule 1, pattern delete_*)",
            "  agrees with the record",
            "",
            "not replayable: no rules are in force: see /ready, or gatebook rules check FILE");
    assertThat(commandRun.code()).isEqualTo(0);
  }

  @Test
  void aDisagreementIsPrintedAndFails() {
    CommandRun commandRun = run(FORGED.toString());

    assertThat(commandRun.out().lines())
        .containsSubsequence(
            "then: forwarded to demo, by the rules sha256:0123456789ab in force then, since"
                + " 2026-01-02T03:04:05.000000006Z",
            "  visibility  pass     (exposure all)",
            "  governance  forward  (action forward)",
            "  DISAGREES with the record, which says: denied by governance: rule",
            "  governance  recorded at #6: deny rule (action deny, rule 1, pattern delete_*) "
                + " again: forward (action forward)");
    assertThat(commandRun.code()).isEqualTo(1);
  }

  @Test
  void jsonOutputIsOneDocument() throws Exception {
    CommandRun commandRun = run(CALL.toString().toUpperCase(Locale.ROOT), "--json");

    assertThat(new JsonMapper().readTree(commandRun.out()).at("/then/agrees").asBoolean()).isTrue();
    assertThat(commandRun.code()).isEqualTo(0);
  }

  @Test
  void anUnknownOrAmbiguousIdIsReported() {
    assertThat(run("nobody").err()).endsWith("no call up to position 7 has this id\n");
    assertThat(run("nobody").code()).isEqualTo(1);
    assertThat(run("order-7").err())
        .endsWith(
            "this id matches 2 calls: use the id of one, the newest are %s, %s%n"
                .formatted(FORGED, CALL));
  }

  @Test
  void wrongUsageIsReported() {
    assertThat(run().code()).isEqualTo(2);
    assertThat(run("a", "b").code()).isEqualTo(2);
    assertThat(run("order-7", "--token", "another").err()).contains("does not accept this token");
  }

  private CommandRun run(String... arguments) {
    return CommandRun.of(new ReplayCommand(), List.of("--data", data.toString()), arguments);
  }

  private static CallReceived received(UUID call, String tool) {
    return ReceivedCall.of(call, RECEIVED_AT).to("demo", tool).under(RULES).event();
  }

  private static GateDenied denied(UUID call) {
    return new GateDenied(
        call,
        RULES,
        "delete_all",
        "alice",
        List.of(
            new Ruling.Visibility(new Verdict.Pass(), Exposure.ALL, null, 3),
            new Ruling.Governance(
                new Verdict.Deny(DenialReason.RULE, null), Action.DENY, 1, "delete_*", 7)));
  }

  private static ErrorTranslated translated(UUID call) {
    return new ErrorTranslated(
        call,
        "delete_all",
        new GovernanceRuleDenied("delete_all", "delete_*", false),
        new ErrorResponse(
            Dialect.MCP,
            -32014,
            "denied",
            JsonValue.parse(
                """
                {"correlation_id":"order-7"}\
                """),
            200),
        0,
        null,
        3);
  }
}
