package gatebook.api.operator.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.events.CallReceived;
import gatebook.events.ErrorTranslated;
import gatebook.events.Event;
import gatebook.events.GateDenied;
import gatebook.events.ReceivedCall;
import gatebook.events.call.Bytes;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Dialect;
import gatebook.events.call.Digest;
import gatebook.events.call.ErrorResponse;
import gatebook.events.call.Exposure;
import gatebook.events.call.KeptContent;
import gatebook.events.call.Ruling;
import gatebook.events.call.Verdict;
import gatebook.events.fault.Denied;
import gatebook.events.fault.UpstreamFault;
import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.DraftEvent;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The operator methods for views, over HTTP. */
@Timeout(300)
final class OperatorViewsTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final Instant AT = Instant.parse("2026-01-02T03:04:05Z");

  @RegisterExtension
  static final OperatorTestNodes NODES = new OperatorTestNodes(OperatorTestNode::new);

  private OperatorTestNode node = NODES.shared();

  @Test
  void denialsAreCountedByTheGivenDimensions() throws Exception {
    node = NODES.shared("three denials", this::appendThreeDenials);

    JsonNode byGate = result("audit.denials", "{}");
    assertThat(byGate.path("total").asInt()).isEqualTo(3);
    assertThat(byGate.path("groups"))
        .extracting(it -> it.path("gate").asText() + " " + it.path("count").asInt())
        .containsExactly("visibility 3", "governance 0", "policy 0", "approval 0");
    assertThat(
            result(
                    "audit.denials",
                    """
                    {"by":["tool","principal"]}\
                    """)
                .path("groups"))
        .hasToString(
            """
            [{"tool":"delete_file","principal":"ada","count":2,"firstAt":"2026-01-02T03:04:05Z",\
            "lastAt":"2026-01-02T04:04:05Z","lastCallId":"%s","trend":"unclear"},\
            {"tool":"search","principal":"grace","count":1,"firstAt":"2026-01-02T05:04:05Z",\
            "lastAt":"2026-01-02T05:04:05Z","lastCallId":"%s","trend":"unclear"}]\
            """
                .formatted(call(2), call(3)));
    assertThat(
            result(
                    "audit.denials",
                    """
                    {"by":["hour","code","reason"]}\
                    """)
                .path("groups"))
        .first()
        .hasToString(
            """
            {"hour":"2026-01-02T05:00:00Z","dialect":"mcp","code":-32015,"reason":"not-exposed",\
            "count":1,"firstAt":"2026-01-02T05:04:05Z","lastAt":"2026-01-02T05:04:05Z",\
            "lastCallId":"%s"}\
            """
                .formatted(call(3)));
    JsonNode filtered =
        result(
            "audit.denials",
            """
            {"gate":"visibility","tool":"search"}\
            """);
    assertThat(filtered.path("total").asInt()).isEqualTo(1);
    assertThat(filtered.path("groups"))
        .hasToString(
            """
            [{"gate":"visibility","count":1,"firstAt":"2026-01-02T05:04:05Z",\
            "lastAt":"2026-01-02T05:04:05Z","lastCallId":"%s","trend":"unclear"}]\
            """
                .formatted(call(3)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        """
        {"since":"2026-01-02T03:04:05Z"} | 3\
        """,
        """
        {"since":"2026-01-02T03:04:05.000000001Z"} | 2\
        """,
        """
        {"until":"2026-01-02T04:04:05Z"} | 1\
        """,
        """
        {"until":"2026-01-02T04:04:05.000000001Z"} | 2\
        """,
        """
        {"asOf":"2026-01-02T04:04:05Z"} | 2\
        """,
        """
        {"asOf":"2026-01-02T04:04:04.999999999Z"} | 1\
        """,
        """
        {"since":"2026-01-02T05:04:06+02:00"} | 2\
        """,
        """
        {"since":"0001-01-01T00:00:00Z","until":"9999-12-31T23:59:59Z"} | 3\
        """,
      })
  void denialsOfAPeriodAreCountedToTheNanosecond(String params, int total) throws Exception {
    node = NODES.shared("three denials", this::appendThreeDenials);

    assertThat(result("audit.denials", params).path("total").asInt()).isEqualTo(total);
  }

  @Test
  void errorsAreGroupedByTheirMembers() throws Exception {
    node = NODES.own();
    denied(call(1), "delete_file", "ada", AT);
    denied(call(2), "delete_file", "grace", AT.plusSeconds(23));
    denied(call(3), "search", "grace", AT.plusSeconds(1));

    JsonNode errors =
        result(
            "audit.errors",
            """
            {"since":"2026-01-02T03:04:05Z","until":"2026-01-02T03:04:29Z"}\
            """);

    assertThat(errors.path("bucketSeconds").asDouble()).isEqualTo(1.0);
    JsonNode first = errors.path("groups").path(0);
    assertThat(first.path("fingerprint").asText()).matches("1-[0-9a-f]{16}");
    assertThat(first.toString().replaceFirst("1-[0-9a-f]{16}", "F"))
        .isEqualTo(
            """
            {"fingerprint":"F","dialect":"mcp","code":-32015,"fault":"ToolNotExposed",\
            "gate":"visibility","target":"delete_file","count":2,\
            "firstAt":"2026-01-02T03:04:05Z","lastAt":"2026-01-02T03:04:28Z",\
            "lastCallId":"%s","trend":"unclear","sparkline":[1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,\
            0,0,0,0,1]}\
            """
                .formatted(call(2)));
    assertThat(errors.path("groups").path(1).path("trend").asText()).isEqualTo("unclear");
    assertThat(result("audit.errors", "{\"limit\":1}").path("more").asBoolean()).isTrue();
  }

  @Test
  void errorsAreRatedByCode() throws Exception {
    node = NODES.own();
    denied(call(1), "delete_file", "ada", AT);
    denied(call(2), "search", "grace", AT.plusSeconds(3_601));

    assertThat(
            result(
                    "audit.errors",
                    """
                    {"by":["code"],"since":"2026-01-02T03:04:05Z","until":"2026-01-02T04:04:29Z"}\
                    """)
                .path("groups"))
        .hasToString(
            """
            [{"dialect":"mcp","code":-32015,"count":2,"firstAt":"2026-01-02T03:04:05Z",\
            "lastAt":"2026-01-02T04:04:06Z","lastCallId":"%s","trend":"unclear","lastHour":1,\
            "dayBefore":1,"dayBeforeHours":0.006666666666666667,\
            "sparkline":[1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1]}]\
            """
                .formatted(call(2)));
    assertThat(result("audit.errors", "{\"by\":[\"agent\"]}").path("groups")).isEmpty();
  }

  @Test
  void errorsAreCountedByHour() throws Exception {
    node = NODES.own();
    denied(call(1), "delete_file", "ada", AT);
    denied(call(2), "search", "grace", AT.plusSeconds(3_601));
    denied(call(3), "search", "grace", AT.plusSeconds(3_602));

    JsonNode errors =
        result(
            "audit.errors",
            """
            {"by":["target","hour"],"since":"2026-01-02T03:04:06Z"}\
            """);
    assertThat(errors.path("bucketSeconds").asInt()).isEqualTo(3_600);
    assertThat(errors.path("groups"))
        .hasToString(
            """
            [{"target":"search","hour":"2026-01-02T04:00:00Z","count":2,\
            "firstAt":"2026-01-02T04:04:06Z","lastAt":"2026-01-02T04:04:07Z","lastCallId":"%s"}]\
            """
                .formatted(call(3)));
    assertThat(
            result(
                    "audit.errors",
                    """
                    {"by":["fault","minute"],"gate":"visibility","target":"delete_file"}\
                    """)
                .path("groups"))
        .hasToString(
            """
            [{"fault":"ToolNotExposed","minute":"2026-01-02T03:04:00Z","count":1,\
            "firstAt":"2026-01-02T03:04:05Z","lastAt":"2026-01-02T03:04:05Z","lastCallId":"%s"}]\
            """
                .formatted(call(1)));
  }

  @Test
  void errorsWithCodesInventedByASourceAreOneGroup() throws Exception {
    node = NODES.own();
    for (int code = 1; code <= 3; code++) {
      append(List.of(upstreamError(call(code), code)), AT.plusSeconds(code));
    }
    append(List.of(upstreamError(call(4), -32_602)), AT.plusSeconds(4));

    assertThat(result("audit.errors", "{}").path("groups"))
        .extracting(group -> group.path("code") + " " + group.path("count"))
        .containsExactly("\"other\" 3", "-32602 1");
  }

  @Test
  void theTrendCoversOnlyTheRecordedPeriod() throws Exception {
    node = NODES.own();
    for (int hour = 0; hour < 12; hour++) {
      denied(call(hour), "search", "ada", AT.plusSeconds(3_600L * hour));
    }

    assertThat(trend("2026-01-02T03:04:05Z", "2026-01-02T15:04:05Z")).isEqualTo("steady");
    assertThat(trend("2026-01-01T15:04:05Z", "2026-01-02T15:04:05Z")).isEqualTo("steady");
    assertThat(trend("2025-12-12T03:04:05Z", "2026-01-02T15:04:05Z")).isEqualTo("unclear");
    assertThat(trend("2026-01-02T08:04:05Z", "2026-01-02T15:04:05Z")).isEqualTo("unclear");
    assertThat(trend("2026-01-02T03:04:05Z", "2026-01-03T15:04:05Z")).isEqualTo("falling");
  }

  /** The trend of the errors of a period, which is that of the denials that they tell of. */
  private String trend(String since, String until) throws Exception {
    String period =
        """
        {"since":"%s","until":"%s"}\
        """
            .formatted(since, until);
    String trend = result("audit.errors", period).at("/groups/0/trend").asText();
    assertThat(result("audit.denials", period).at("/groups/0/trend").asText()).isEqualTo(trend);
    return trend;
  }

  @Test
  void callsAreListedNewestFirstAndPageByPage() throws Exception {
    node = NODES.own();
    for (int i = 1; i <= 5; i++) {
      denied(call(i), i % 2 == 0 ? "search" : "delete_file", "ada", AT.plusSeconds(i));
    }

    JsonNode first =
        result(
            "audit.calls",
            """
            {"target":"delete_file","limit":2}\
            """);
    JsonNode second =
        result(
            "audit.calls",
            """
            {"target":"delete_file","limit":2,"cursor":%s}\
            """
                .formatted(first.path("cursor")));

    assertThat(first.path("calls"))
        .extracting(it -> it.path("callId").asText())
        .containsExactly(call(5).toString(), call(3).toString());
    assertThat(second.path("calls"))
        .singleElement()
        .hasToString(
            """
            {"callId":"%s","correlationId":"order-7","dialect":"mcp","method":"tools/call",\
            "target":"delete_file","principal":"ada","status":"denied","gate":"visibility",\
            "code":-32015,"fault":"ToolNotExposed","receivedAt":"2026-01-02T03:04:06Z",\
            "durationMillis":3}\
            """
                .formatted(call(1)));
    assertThat(second.has("cursor")).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"status\":\"denied\"} | 2",
        """
        {"status":"answered"} | 0\
        """,
        """
        {"gate":"visibility","dialect":"mcp","method":"tools/call"} | 2\
        """,
        "{\"gate\":\"policy\"} | 0",
        "{\"principal\":\"ada\"} | 1",
        """
        {"code":-32015,"fault":"ToolNotExposed"} | 2\
        """,
        "{\"code\":1} | 0",
        """
        {"correlationId":"order-7"} | 2\
        """,
        """
        {"correlationId":"ORDER-7"} | 0\
        """,
        """
        {"since":"2026-01-02T03:04:06Z"} | 1\
        """,
        """
        {"until":"2026-01-02T03:04:06Z"} | 1\
        """,
        """
        {"target":"x' OR '1'='1"} | 0\
        """,
      })
  void callsAreFilteredByTheirMembers(String params, int found) throws Exception {
    node = NODES.shared("two denials", this::appendTwoDenials);

    assertThat(result("audit.calls", params).path("calls")).hasSize(found);
  }

  @Test
  void aCallIsShownAsItWasAtATime() throws Exception {
    node = NODES.own();
    node.append(received(call(1), "search", "ada", AT));
    Instant between = Instant.parse(node.journal().read(0, 1).getFirst().at());
    append(
        List.of(denial(call(1), "search", "ada"), translated(call(1), "search")),
        between.plusNanos(1));

    assertThat(status("{\"id\":\"order-7\"}")).isEqualTo("denied");
    assertThat(
            status(
                """
                {"id":"order-7","asOf":"%s"}\
                """
                    .formatted(between)))
        .isEqualTo("held");
    assertThat(
            result(
                    "audit.lookup",
                    """
                    {"id":"order-7","asOf":"%s"}\
                    """
                        .formatted(between.minusNanos(1)))
                .path("notFound")
                .path("reason")
                .asText())
        .isEqualTo("came-later");
  }

  private String status(String params) throws Exception {
    return result("audit.lookup", params).path("calls").path(0).path("status").asText();
  }

  @ParameterizedTest
  @ValueSource(strings = {"denials", "faults"})
  void aRebuiltViewHoldsTheSame(String name) throws Exception {
    node = NODES.own();
    denied(call(1), "search", "ada", AT);
    JsonNode before = result("audit.denials", "{}").path("groups");

    JsonNode started = result("audit.replay", "{\"projection\":\"%s\"}".formatted(name));

    assertThat(started.path("projection").asText()).isEqualTo(name);
    assertThat(started.path("replay").path("from").asLong()).isZero();
    for (String either : List.of("denials", "faults")) {
      await().until(() -> !standing(either).has("replay"));
      assertThat(standing(either).path("lastReplay").path("outcome").asText())
          .isEqualTo("replaced");
    }
    assertThat(result("audit.denials", "{}").path("groups")).isEqualTo(before);
    assertThat(
            result(
                    "audit.cancelReplay",
                    """
                    {"projection":"denials"}\
                    """)
                .path("cancelled"))
        .hasToString("false");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | projection is missing: one of calls, denials, faults, approvals, trees",
        """
        {"projection":"nothing"} | projection must be one of calls, denials, faults, \
        approvals\
        """,
        """
        {"projection":"calls","fromPosition":1,"fromTime":"2026-01-02T03:04:05Z"} | \
        give fromPosition or fromTime, not both\
        """,
        """
        {"projection":"calls","fromPosition":99} | calls holds nothing beyond position\
        """,
        """
        {"projection":"calls","fromTime":"yesterday"} | fromTime must be a time as in \
        2026-01-02T03:04:05Z\
        """,
      })
  void anImpossibleRebuildIsRefused(String params, String sentence) throws Exception {
    JsonNode error = JSON.readTree(node.call(question("audit.replay", params))).path("error");

    assertThat(error.path("code").asInt()).isEqualTo(-32_602);
    assertThat(error.path("message").asText()).startsWith(sentence);
    assertThat(standing("calls").has("replay")).isFalse();
  }

  @Test
  void anUnreadableEventIsParkedAndCanBeDiscarded() throws Exception {
    node = NODES.own();
    DraftEvent known = node.vocabulary().draft(received(call(1), "search", "ada", AT), AT);
    DraftEvent newer =
        DraftEvent.of(
            "e1", known.name(), "99", AT, known.tags(), known.payload(), known.metadata());
    node.journal().append(ConflictCondition.none(), List.of(newer)).join();
    denied(call(2), "search", "ada", AT);

    assertThat(result("audit.denials", "{}").path("total").asInt()).isEqualTo(1);
    JsonNode parked = result("audit.parked", "{\"projection\":\"calls\"}").path("parked").path(0);
    assertThat(parked.path("position").asLong()).isEqualTo(1);
    assertThat(parked.path("callId").asText()).isEqualTo(call(1).toString());
    assertThat(parked.path("error").asText()).contains("99");
    assertThat(standing("calls").path("parked").asInt()).isEqualTo(1);
    String which =
        """
        {"projection":"calls","position":1}\
        """;
    assertThat(result("audit.retryParked", which).path("outcome").asText()).isEqualTo("failed");
    assertThat(result("audit.discardParked", which).path("outcome").asText())
        .isEqualTo("discarded");
    assertThat(result("audit.discardParked", which).path("outcome").asText()).isEqualTo("none");
    assertThat(result("audit.retryParked", which).path("outcome").asText()).isEqualTo("none");
    assertThat(result("audit.parked", "{}").path("parked")).isEmpty();
  }

  private JsonNode standing(String view) throws Exception {
    for (JsonNode standing : result("audit.projections", "{}").path("projections")) {
      if (standing.path("name").asText().equals(view)) {
        return standing;
      }
    }
    throw new AssertionError("there is no view " + view);
  }

  private JsonNode result(String method, String params) throws Exception {
    String answer = node.call(question(method, params));
    JsonNode result = JSON.readTree(answer).path("result");
    assertThat(result.isObject()).as(answer).isTrue();
    return result;
  }

  private static String question(String method, String params) {
    return """
    {"jsonrpc":"2.0","id":1,"method":"%s","params":%s}\
    """
        .formatted(method, params);
  }

  private void appendThreeDenials(OperatorTestNode empty) {
    node = empty;
    denied(call(1), "delete_file", "ada", AT);
    denied(call(2), "delete_file", "ada", AT.plusSeconds(3_600));
    denied(call(3), "search", "grace", AT.plusSeconds(7_200));
  }

  private void appendTwoDenials(OperatorTestNode empty) {
    node = empty;
    denied(call(1), "delete_file", "ada", AT);
    denied(call(2), "search", "grace", AT.plusSeconds(1));
  }

  private void denied(UUID call, String tool, String principal, Instant at) {
    append(
        List.of(
            received(call, tool, principal, at),
            denial(call, tool, principal),
            translated(call, tool)),
        at);
  }

  private void append(List<Event> events, Instant at) {
    node.journal()
        .append(
            ConflictCondition.none(),
            events.stream().map(event -> node.vocabulary().draft(event, at)).toList())
        .join();
  }

  private static UUID call(int number) {
    return new UUID(0x0192_aaaa_0000_7000L + ((long) number << 16), 0x8000_0000_0000_abcdL);
  }

  private static CallReceived received(UUID call, String tool, String principal, Instant at) {
    return ReceivedCall.of(call, at)
        .by(principal)
        .to("files", tool)
        .with(new KeptContent(2, new Digest("k1", Bytes.of(new byte[32])), null, null), null)
        .event();
  }

  private static GateDenied denial(UUID call, String tool, String principal) {
    return new GateDenied(
        call,
        "rules",
        tool,
        principal,
        List.of(
            new Ruling.Visibility(
                new Verdict.Deny(DenialReason.NOT_EXPOSED, null), Exposure.ALL, null, 1)));
  }

  private static ErrorTranslated translated(UUID call, String tool) {
    return new ErrorTranslated(
        call,
        tool,
        new Denied.ToolNotExposed(tool, "files"),
        new ErrorResponse(Dialect.MCP, -32_015, "no", null, 200),
        0,
        null,
        3);
  }

  private static ErrorTranslated upstreamError(UUID call, int code) {
    return new ErrorTranslated(
        call,
        "search",
        new UpstreamFault.UpstreamError("files", code, "no", null, null, true),
        new ErrorResponse(Dialect.MCP, code, "no", null, 200),
        0,
        null,
        3);
  }
}
