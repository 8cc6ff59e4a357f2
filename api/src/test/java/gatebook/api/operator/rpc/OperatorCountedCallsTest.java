package gatebook.api.operator.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.events.CallReceived;
import gatebook.events.ErrorTranslated;
import gatebook.events.GateDenied;
import gatebook.events.JournalOutage;
import gatebook.events.MessagesRefused;
import gatebook.events.ReceivedCall;
import gatebook.events.call.Action;
import gatebook.events.call.Bytes;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Dialect;
import gatebook.events.call.Digest;
import gatebook.events.call.ErrorResponse;
import gatebook.events.call.KeptContent;
import gatebook.events.call.Ruling;
import gatebook.events.call.Transport;
import gatebook.events.call.Verdict;
import gatebook.events.fault.Denied;
import gatebook.events.fault.UpstreamFault;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The lists of what is counted, over HTTP. */
@Timeout(300)
final class OperatorCountedCallsTest {
  private static final JsonMapper JSON = new JsonMapper();

  @TempDir private Path data;

  private OperatorTestNode node;

  @BeforeEach
  void open() throws IOException {
    node = new OperatorTestNode(data);
  }

  @AfterEach
  void close() {
    node.close();
  }

  @Test
  void deniedCallsHaveTheirRowAndTheReason() throws Exception {
    denied(1, "delete_file");

    assertThat(result("audit.deniedCalls", "{}").path("calls"))
        .singleElement()
        .hasToString(
            """
            {"at":"2026-01-02T03:04:05.000000006Z","gate":"governance","reason":"rule",\
            "callId":"%s","correlationId":"order-1","dialect":"mcp","method":"tools/call",\
            "target":"delete_file","principal":"ada","status":"denied","code":-32014,\
            "fault":"GovernanceRuleDenied","receivedAt":"2026-01-02T03:04:05.000000006Z",\
            "durationMillis":1}\
            """
                .formatted(call(1)));
  }

  @Test
  void theMembersOfAGroupListTheGroup() throws Exception {
    denied(1, "delete_file");
    denied(2, "delete_file");
    denied(3, null);

    JsonNode groups =
        result("audit.denials", "{\"by\":[\"tool\",\"code\",\"minute\",\"day\"]}").path("groups");

    assertThat(groups).hasSize(2);
    assertThat(groups.get(0))
        .hasToString(
            """
            {"tool":"delete_file","dialect":"mcp","code":-32014,"minute":"2026-01-02T03:04:00Z",\
            "day":"2026-01-02T00:00:00Z","count":2,"firstAt":"2026-01-02T03:04:05.000000006Z",\
            "lastAt":"2026-01-02T03:04:05.000000006Z",\
            "lastCallId":"%s"}\
            """
                .formatted(call(2)));
    assertThat(callIds(deniedCalls("{\"tool\":\"delete_file\",\"code\":-32014}")))
        .containsExactly(call(2).toString(), call(1).toString());
    assertThat(callIds(deniedCalls("{\"tool\":null}"))).containsExactly(call(3).toString());
    assertThat(callIds(deniedCalls("{\"code\":null}"))).isEmpty();
  }

  @Test
  void listsHavePagesAndATotal() throws Exception {
    for (int i = 1; i <= 5; i++) {
      denied(i, "delete_file");
    }

    JsonNode first = deniedCalls("{\"limit\":2}");
    JsonNode last =
        deniedCalls("{\"limit\":3,\"cursor\":%s}".formatted(first.path("cursor").toString()));

    assertThat(first.path("total").asInt()).isEqualTo(5);
    assertThat(callIds(first)).containsExactly(call(5).toString(), call(4).toString());
    assertThat(callIds(last))
        .containsExactly(call(3).toString(), call(2).toString(), call(1).toString());
    assertThat(last.has("cursor")).isFalse();
  }

  @Test
  void failedCallsAreThoseOfAGroup() throws Exception {
    denied(1, "delete_file");
    failed(2, -32_001);
    failed(3, 99);
    JsonNode group =
        result("audit.errors", "{}").path("groups").findParents("fingerprint").stream()
            .filter(it -> it.path("code").asText().equals("other"))
            .findFirst()
            .orElseThrow();

    JsonNode byFingerprint =
        failedCalls("{\"fingerprint\":%s}".formatted(group.path("fingerprint")));

    assertThat(byFingerprint.path("total").asLong()).isEqualTo(group.path("count").asLong());
    assertThat(byFingerprint.path("calls"))
        .singleElement()
        .hasToString(
            """
            {"at":"2026-01-02T03:04:05.000000006Z","times":1,"fingerprint":%s,"agent":null,\
            "skill":null,"callId":"%s","correlationId":"order-3","dialect":"mcp",\
            "method":"tools/call","target":"read_file","principal":"ada","status":"failed",\
            "gate":null,"code":99,"fault":"UpstreamTimeout",\
            "receivedAt":"2026-01-02T03:04:05.000000006Z","durationMillis":30001}\
            """
                .formatted(group.path("fingerprint"), call(3)));
    assertThat(callIds(failedCalls("{\"code\":\"other\"}"))).containsExactly(call(3).toString());
    assertThat(callIds(failedCalls("{\"code\":-32001,\"dialect\":\"mcp\",\"gate\":null}")))
        .containsExactly(call(2).toString());
    assertThat(callIds(failedCalls("{\"agent\":null}"))).isEmpty();
  }

  @Test
  void countedMessagesAreOneEntryWithoutACall() throws Exception {
    node.append(
        new MessagesRefused(
            OperatorTestNode.AT,
            OperatorTestNode.AT,
            List.of(
                new MessagesRefused.Count(
                    Dialect.FLOW, Transport.HTTP, "ParseError", null, 1_000))));

    JsonNode failed = failedCalls("{\"code\":null,\"fault\":\"ParseError\"}");

    assertThat(failed.path("total").asInt()).isEqualTo(1_000);
    assertThat(failed.at("/calls/0").toString().replaceFirst("1-[0-9a-f]{16}", "F"))
        .isEqualTo(
            """
            {"at":"2026-01-02T03:04:05.000000006Z","times":1000,"fingerprint":"F","agent":null,\
            "skill":null,"callId":null,"correlationId":null,"dialect":"flow","method":null,\
            "target":null,"principal":null,"status":null,"gate":null,"code":null,\
            "fault":"ParseError","receivedAt":null,"durationMillis":null}\
            """);
  }

  @Test
  void whatWasToldIsUnknownWhereTheJournalFailed() throws Exception {
    failed(1, -32_001);
    String told =
        """
        {"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"late"}}\
        """;
    assertThat(told()).isEqualTo(told);
    Instant at = OperatorTestNode.AT;

    node.append(
        outage(at.minusSeconds(9), at.minusNanos(1)),
        outage(at.plusSeconds(61), at.plusSeconds(99)));
    assertThat(told()).isEqualTo(told);
    node.append(outage(at.plusSeconds(59), at.plusSeconds(99)));

    assertThat(told()).isEmpty();
  }

  private static JournalOutage outage(Instant from, Instant to) {
    return new JournalOutage(from, to, "journal", 1, 0);
  }

  private String told() throws Exception {
    return result("audit.lookup", "{\"id\":\"order-1\"}").at("/calls/0/told").asText();
  }

  private void denied(int number, @Nullable String tool) {
    UUID call = call(number);
    node.append(
        received(number, tool),
        new GateDenied(
            call,
            "rules",
            tool,
            "ada",
            List.of(
                new Ruling.Governance(
                    new Verdict.Deny(DenialReason.RULE, null), Action.DENY, 1, "delete_*", 1))),
        new ErrorTranslated(
            call,
            tool,
            new Denied.GovernanceRuleDenied("delete_file", "delete_*", false),
            new ErrorResponse(Dialect.MCP, -32_014, "no", null, 200),
            0,
            null,
            1));
  }

  private void failed(int number, int code) {
    node.append(
        received(number, "read_file"),
        new ErrorTranslated(
            call(number),
            "read_file",
            new UpstreamFault.UpstreamTimeout("files", "http://files", 30_000),
            new ErrorResponse(Dialect.MCP, code, "late", null, 200),
            1,
            30_000L,
            30_001));
  }

  private static CallReceived received(int number, @Nullable String tool) {
    return ReceivedCall.of(call(number), OperatorTestNode.AT)
        .correlation("order-" + number)
        .by("ada")
        .to("files", tool)
        .with(new KeptContent(2, new Digest("k1", Bytes.of(new byte[32])), null, null), null)
        .event();
  }

  private static UUID call(int number) {
    return new UUID(0x0192_0000_0000_7000L + ((long) number << 16), number);
  }

  private JsonNode deniedCalls(String params) throws Exception {
    return result("audit.deniedCalls", params);
  }

  private JsonNode failedCalls(String params) throws Exception {
    return result("audit.failedCalls", params);
  }

  private static List<String> callIds(JsonNode result) {
    assertThat(result.path("calls").isArray()).as(result.toString()).isTrue();
    return result.path("calls").findValuesAsText("callId");
  }

  private JsonNode result(String method, String params) throws Exception {
    return JSON.readTree(
            node.call(
                """
                {"jsonrpc":"2.0","id":1,"method":"%s","params":%s}\
                """
                    .formatted(method, params)))
        .path("result");
  }
}
