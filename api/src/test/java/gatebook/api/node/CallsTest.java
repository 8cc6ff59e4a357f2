package gatebook.api.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.api.http.Port;
import gatebook.api.http.RawHttp;
import gatebook.command.gate.GateChain;
import gatebook.command.keep.ContentDigests;
import gatebook.command.keep.PayloadRecorder;
import gatebook.command.redact.Scrubber;
import gatebook.command.rules.RecordRules;
import gatebook.events.ApprovalRequested;
import gatebook.events.CallAdmitted;
import gatebook.events.CallAnswered;
import gatebook.events.CallEvent;
import gatebook.events.CallForwarded;
import gatebook.events.CallReceived;
import gatebook.events.ErrorTranslated;
import gatebook.events.Event;
import gatebook.events.GateDenied;
import gatebook.events.MessageRefused;
import gatebook.events.RulesActivated;
import gatebook.events.call.Action;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Dialect;
import gatebook.events.call.ErrorResponse;
import gatebook.events.call.Exposure;
import gatebook.events.call.JsonValue;
import gatebook.events.call.KeptContent;
import gatebook.events.call.Principal;
import gatebook.events.call.Ruling;
import gatebook.events.call.Transport;
import gatebook.events.call.Verdict;
import gatebook.events.fault.Denied.ToolNotExposed;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Malformed.ParseDefect;
import gatebook.events.fault.Malformed.ParseError;
import gatebook.events.fault.Misdirected.InvalidParams;
import gatebook.events.fault.Misdirected.MethodNotFound;
import gatebook.events.fault.Problem;
import gatebook.events.keys.ContentOwner;
import gatebook.events.keys.OldKeys;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.assertj.core.api.RecursiveComparisonAssert;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls over HTTP to a whole node, and the journal after each response. */
final class CallsTest {

  private static final Principal ANYBODY = new Principal("anonymous", List.of(), Map.of());
  private static final UUID SOME_ID = new UUID(0, 0);
  private static final String JSON = "Content-Type: application/json";

  @RegisterExtension private static final TestNodes NODES = new TestNodes();
  private WatchedNode node;

  @BeforeEach
  void start() throws IOException {
    node = NODES.shared(WatchedNode.SAMPLE_RULES);
  }

  @Test
  void callIsAnsweredAfterIntentAndOutcomeAreRecorded() throws IOException {
    RawHttp.Answer answer =
        post(
            """
            {"jsonrpc":"2.0","id":"\\u0061","method":"tools/call","params":\
            {"name":"echo","arguments":{"n": 1.50}}}\
            """,
            JSON,
            "X-Correlation-Id: c-1",
            "MCP-Protocol-Version: 2025-11-25");

    String result =
        """
        {"content":[{"type":"text","text":"{\\"n\\": 1.50}"}],\
        "structuredContent":{"n": 1.50}}\
        """;
    expectAnswer(
        answer,
        200,
        "c-1",
        """
        {"jsonrpc":"2.0","id":"\\u0061","result":\
        """
            + result
            + "}");
    expectRecorded(
        received("c-1", "2025-11-25", "tools/call", "\"\\u0061\"", "demo", "echo", "{\"n\": 1.50}"),
        new CallAdmitted(
            SOME_ID,
            rulesHash(),
            List.of(visible("echo"), forwarded(1, "echo")),
            GateChain.LOGIC_VERSION,
            null),
        new CallForwarded(SOME_ID, 1, "demo", "built-in", 30_000, null),
        new CallAnswered(SOME_ID, CallAnswered.Outcome.SUCCESS, keptResult(result), 1, 0L, 0));
  }

  @ParameterizedTest
  @CsvSource({"process, demo, NOT_EXPOSED, ALLOWLIST", "nope, demo, NOT_EXPOSED, ALLOWLIST"})
  void callDeniedByGateOneIsRecordedWithItsError(
      String tool, @Nullable String source, DenialReason reason, @Nullable Exposure exposure)
      throws IOException {
    String[] counters = {
      "thoughtgate_errors_total{category=\"client\",code=\"-32015\",gate=\"visibility\"}",
      "thoughtgate_gate_denials_total{gate=\"visibility\",reason=\"%s\"}".formatted(reason.word()),
      "gatebook_errors_total{category=\"client\",code=\"-32015\",dialect=\"mcp\",gate=\"visibility\"}"
    };
    List<Double> counted = counts(counters);
    RawHttp.Answer answer =
        post(
            """
            {"jsonrpc":"2.0","id":12345678901234567890,"method":"tools/call","params":\
            {"name":"%s"}}\
            """
                .formatted(tool),
            JSON,
            "X-Correlation-Id: c-2");

    String data =
        """
        {"correlation_id":"c-2","gate":"visibility","tool":"%s"}\
        """
            .formatted(tool);
    String message = "Tool '%s' is not available".formatted(tool);
    expectAnswer(
        answer,
        200,
        "c-2",
        """
        {"jsonrpc":"2.0","id":12345678901234567890,"error":{"code":-32015,"message":"%s","data":%s}}\
        """
            .formatted(message, data));
    expectRecorded(
        received("c-2", null, "tools/call", "12345678901234567890", source, tool, null),
        new GateDenied(
            SOME_ID,
            rulesHash(),
            tool,
            "anonymous",
            List.of(new Ruling.Visibility(new Verdict.Deny(reason, null), exposure, null, 0)),
            GateChain.LOGIC_VERSION,
            null),
        translated(tool, new ToolNotExposed(tool, source), errorResponse(-32015, message, data)));
    assertThat(counts(counters)).isEqualTo(counted.stream().map(count -> count + 1).toList());
  }

  @Test
  void unknownMethodIsAFailedCall() throws IOException {
    RawHttp.Answer answer =
        post(
            """
            {"jsonrpc":"2.0","id":1,"method":"no/such"}\
            """,
            JSON,
            "X-Correlation-Id: c");

    String data =
        """
        {"correlation_id":"c","details":"no/such"}\
        """;
    expectAnswer(
        answer,
        200,
        "c",
        """
        {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found","data":%s}}\
        """
            .formatted(data));
    expectRecorded(
        received("c", null, "no/such", "1", null, null, null),
        translated(
            null, new MethodNotFound("no/such"), errorResponse(-32601, "Method not found", data)));
  }

  @Test
  void aToolCallWithoutANameNamesTheParam() throws IOException {
    RawHttp.Answer answer =
        post(
            """
            {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}\
            """,
            JSON,
            "X-Correlation-Id: c");

    String data =
        """
        {"correlation_id":"c","details":"name: expected a string","param":"name",\
        "expected":"a string","received":"number"}\
        """;
    expectAnswer(
        answer,
        200,
        "c",
        """
        {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Invalid params","data":%s}}\
        """
            .formatted(data));
    expectRecorded(
        received("c", null, "tools/call", "1", null, null, null),
        translated(
            null,
            new InvalidParams(
                List.of(
                    new Problem(
                        "name", null, "a string", JsonValue.parse("\"number\""), List.of()))),
            errorResponse(-32602, "Invalid params", data)));
  }

  @Test
  void malformedMessageIsRecordedWithoutItsBody() throws IOException {
    RawHttp.Answer answer = post("{\"id\":3,\"jsonrpc\":", JSON, "X-Correlation-Id: c");

    String data =
        """
        {"correlation_id":"c","details":"syntax at byte 18"}\
        """;
    expectAnswer(
        answer,
        200,
        "c",
        """
        {"jsonrpc":"2.0","id":3,"error":{"code":-32700,"message":"Parse error","data":%s}}\
        """
            .formatted(data));
    expectRecorded(
        new MessageRefused(
            SOME_ID,
            "c",
            Dialect.MCP,
            Transport.HTTP,
            "anonymous",
            "3",
            18,
            new ParseError(ParseDefect.SYNTAX, 18L),
            errorResponse(-32700, "Parse error", data)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "text/plain | unsupported-content-type | send application/json",
        "application/x-www-form-urlencoded | unsupported-content-type | send application/json",
        "application/json; charset=latin1 | bad-charset | send utf-8"
      })
  void anotherMediaTypeOrCharsetIsRefused(String type, String reason, String details)
      throws IOException {
    RawHttp.Answer answer = post("{}", "Content-Type: " + type, "X-Correlation-Id: c");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body())
        .isEqualTo(
            """
            {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid \
            Request",\
            "data":{"correlation_id":"c","details":"%s","reason":"%s"}}}\
            """
                .formatted(details, reason));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/json;charset=\"UTF-8\"",
        "application/vscode-jsonrpc; charset=utf8",
        "Application/JSON"
      })
  void jsonInUtf8IsAcceptedWithEveryDeclaration(String type) throws IOException {
    assertThat(
            post(
                    """
                    {"jsonrpc":"2.0","id":1,"method":"ping"}\
                    """,
                    "Content-Type: " + type)
                .body())
        .isEqualTo(
            """
            {"jsonrpc":"2.0","id":1,"result":{}}\
            """);
  }

  @Test
  void bodyOverTheLimitIsDrainedAndRefused() throws IOException {
    String message =
        """
        {"jsonrpc":"2.0","id":1,"method":"ping"}\
        """;
    String largest = message + " ".repeat(10_485_760 - message.length());

    assertThat(post(largest, JSON).body())
        .isEqualTo(
            """
            {"jsonrpc":"2.0","id":1,"result":{}}\
            """);
    assertThat(post(largest + " ", JSON, "X-Correlation-Id: c").body())
        .isEqualTo(
            """
            {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid \
            Request","data":{"correlation_id":"c","details":"at most 10485760 \
            bytes","reason":"oversize"}}}\
            """);
  }

  @Test
  void notificationIsAcknowledgedOnceRecorded() throws IOException {
    RawHttp.Answer answer =
        post(
            """
            {"jsonrpc":"2.0","method":"notifications/initialized"}\
            """,
            JSON);

    assertThat(answer.status() + answer.body()).isEqualTo("202");
    assertThat(events().stream().map(event -> event.getClass().getSimpleName()))
        .containsExactly("CallReceived", "CallAdmitted");
  }

  @Test
  void deniedNotificationIsRecordedAndGetsNoError() throws IOException {
    RawHttp.Answer answer =
        post(
            """
            {"jsonrpc":"2.0","method":"tools/call","params":{"name":"process"}}\
            """,
            JSON);

    assertThat(answer.status() + answer.body()).isEqualTo("202");
    assertThat(events().stream().map(event -> event.getClass().getSimpleName()))
        .containsExactly("CallReceived", "GateDenied", "ErrorTranslated");
  }

  @Test
  void clientInitializesAndSeesOnlyExposedTools() throws IOException {
    assertThat(
            post(
                    """
                    {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}\
                    """,
                    JSON)
                .body())
        .isEqualTo(
            """
            {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"tasks":{"cancel":{},"requests":{"tools":{"call":{}}}}},"serverInfo":{"name":"gatebook","version":"%s"}}}\
            """
                .formatted(Version.text()));
    assertThat(
            post(
                    """
                    {"jsonrpc":"2.0","id":1,"method":"tools/list"}\
                    """,
                    JSON)
                .body())
        .contains("\"name\":\"echo\"", "\"name\":\"time\"")
        .doesNotContain("process");
  }

  @ParameterizedTest
  @CsvSource({
    "ok._:-9, '', ok._:-9",
    "no spaces, 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01,"
        + " 4bf92f3577b34da6a3ce929d0e0e4736",
    "'', 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01, 4bf92f3577b34da6a3ce929d0e0e4736"
  })
  void validCorrelationIdOfTheCallerIsUsed(String correlation, String traceparent, String expected)
      throws IOException {
    RawHttp.Answer answer =
        post(
            """
            {"jsonrpc":"2.0","id":1,"method":"ping"}\
            """,
            JSON,
            "X-Correlation-Id: " + correlation,
            "traceparent: " + traceparent);

    assertThat(answer.headers()).contains("x-correlation-id: " + expected);
    assertThat(((CallReceived) events().getFirst()).correlationId()).isEqualTo(expected);
  }

  @Test
  void traceOfTheMessageIsTheCorrelationId() throws IOException {
    post(
        """
        {"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"traceparent":\
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"}}}\
        """,
        JSON);

    assertThat(((CallReceived) events().getFirst()).traceId())
        .isEqualTo("4bf92f3577b34da6a3ce929d0e0e4736");
  }

  @Test
  void missingCorrelationIdIsGenerated() throws IOException {
    RawHttp.Answer answer =
        post(
            """
            {"jsonrpc":"2.0","id":1,"method":"ping"}\
            """,
            JSON);

    CallReceived received = (CallReceived) events().getFirst();
    assertThat(received.correlationId()).isEqualTo(received.callId().toString());
    assertThat(received.callId().version()).isEqualTo(7);
    assertThat(answer.headers()).contains("x-correlation-id: " + received.callId());
  }

  @Test
  void closedJournalForwardsNothingAndReturnsServiceUnavailable() throws IOException {
    Path folder = NODES.folder();
    node = NODES.own(folder, WatchedNode.SAMPLE_RULES);
    node.journal().close();

    RawHttp.Answer answer =
        post(
            """
            {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo"}}\
            """,
            JSON,
            "X-Correlation-Id: c");

    assertThat(answer.body())
        .isEqualTo(
            """
            {"jsonrpc":"2.0","id":1,"error":{"code":-32013,"message":"Service \
            unavailable","data":{"correlation_id":"c","details":"shutting down: \
            nothing was forwarded"}}}\
            """);
    assertThat(
            post(
                    """
                    {"jsonrpc":"2.0","method":"notifications/initialized"}\
                    """,
                    JSON)
                .status())
        .isEqualTo(503);
    node.close();
    node = NODES.own(folder, WatchedNode.SAMPLE_RULES);
    assertThat(events()).isEmpty();
  }

  @Test
  void callsOfTheStartBannerBehaveAsPrinted() throws IOException {
    String text = StartBanner.text(node.at(Port.CALLERS).url(), Path.of("data"));
    List<String> bodies =
        Pattern.compile("-d '([^']*)'")
            .matcher(text)
            .results()
            .map(match -> match.group(1))
            .toList();

    assertThat(bodies).hasSize(5);
    assertThat(post(bodies.get(0), JSON).body()).contains("\"result\":");
    assertThat(post(bodies.get(1), JSON).body()).contains("\"code\":-32015,");
    assertThat(post(bodies.get(2), JSON).body()).contains("\"code\":-32014,");
    assertThat(post(bodies.get(3), JSON).body()).contains("\"code\":-32003,");
    CompletableFuture<String> held =
        CompletableFuture.supplyAsync(
            () -> body(bodies.get(4)), work -> Thread.ofVirtual().start(work));
    await().until(() -> events().getLast() instanceof ApprovalRequested);
    assertThat(held).isNotDone();
    approve(((ApprovalRequested) events().getLast()).callId());
    assertThat(held.join()).contains("\"result\":");
  }

  private String body(String message) {
    try {
      return post(message, JSON).body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void approve(UUID callId) throws IOException {
    String token = Files.readString(node.data().resolve("operator.token")).strip();
    node.as(token).operator("approvals.approve", "{\"callId\":\"%s\"}".formatted(callId)).result();
  }

  private RawHttp.Answer post(String body, String... headers) throws IOException {
    return node.send(Port.CALLERS, "/mcp", body.getBytes(UTF_8), headers);
  }

  private static void expectAnswer(
      RawHttp.Answer answer, int status, String correlationId, String body) {
    assertThat(answer.headers())
        .contains("content-type: application/json", "x-correlation-id: " + correlationId);
    assertThat(answer.status() + " " + answer.body()).isEqualTo(status + " " + body);
  }

  /** Compares the whole journal, except ids and times; all call events belong to one call. */
  private void expectRecorded(Event... expected) {
    List<Event> events = events();
    assertThat(events.stream().map(event -> ((CallEvent) event).callId()).distinct()).hasSize(1);
    assertThat(events).extracting(Event::getClass).isEqualTo(classesOf(expected));
    comparison(events).isEqualTo(List.of(expected));
  }

  private static List<?> classesOf(Event... events) {
    return Stream.of(events).map(Event::getClass).toList();
  }

  private static RecursiveComparisonAssert<?> comparison(List<Event> events) {
    return assertThat(events)
        .usingRecursiveComparison()
        .ignoringFields("callId", "receivedAt", "totalMillis", "upstreamMillis", "original")
        .ignoringFieldsMatchingRegexes(".*tookMicros");
  }

  /** The events of this test, without those of a start. */
  private List<Event> events() {
    return node.events().stream().filter(event -> !(event instanceof RulesActivated)).toList();
  }

  private CallReceived received(
      String correlationId,
      @Nullable String version,
      String method,
      String rpcId,
      @Nullable String source,
      @Nullable String target,
      @Nullable String arguments)
      throws IOException {
    return new CallReceived(
        SOME_ID,
        correlationId,
        null,
        Dialect.MCP,
        version,
        Transport.HTTP,
        Instant.EPOCH,
        method,
        rpcId,
        ANYBODY,
        source,
        target,
        null,
        arguments == null ? null : kept(arguments),
        null,
        rulesHash());
  }

  private KeptContent kept(String content) {
    return payloadRecorder().keep(content);
  }

  private KeptContent keptResult(String content) {
    return payloadRecorder().keepResult(content);
  }

  private PayloadRecorder payloadRecorder() {
    ContentOwner anybody = ContentOwner.at(ANYBODY.name(), Instant.now());
    return new PayloadRecorder(
        new ContentDigests(node.contentKeys(), OldKeys.NONE),
        anybody,
        Scrubber.BUILT_IN,
        RecordRules.DEFAULT);
  }

  /** Every event of one node names the same rules. */
  private String rulesHash() {
    return events().stream()
        .filter(CallReceived.class::isInstance)
        .map(event -> ((CallReceived) event).rulesHash())
        .findFirst()
        .orElseThrow();
  }

  private static Ruling visible(String pattern) {
    return new Ruling.Visibility(new Verdict.Pass(), Exposure.ALLOWLIST, pattern, 0);
  }

  private static Ruling forwarded(int rule, String pattern) {
    return new Ruling.Governance(new Verdict.Forward(), Action.FORWARD, rule, pattern, 0);
  }

  private static ErrorResponse errorResponse(int code, String message, String data) {
    return new ErrorResponse(Dialect.MCP, code, message, JsonValue.parse(data), 200);
  }

  private static ErrorTranslated translated(
      @Nullable String target, Fault fault, ErrorResponse errorResponse) {
    return new ErrorTranslated(SOME_ID, target, fault, errorResponse, 0, null, 0);
  }

  /** The values of these counters; those that are not shown yet count as 0. */
  private List<Double> counts(String... names) throws IOException {
    List<String> lines = RawHttp.get(node.at(Port.ADMIN), "/metrics").body().lines().toList();
    return Stream.of(names)
        .map(name ->
            lines.stream()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .sum())
        .toList();
  }
}
