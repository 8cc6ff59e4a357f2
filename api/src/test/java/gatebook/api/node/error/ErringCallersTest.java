package gatebook.api.node.error;

import static gatebook.api.node.WatchedNode.toolCall;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import gatebook.api.http.Port;
import gatebook.api.http.RawHttp;
import gatebook.api.node.NodeCaller;
import gatebook.api.node.WatchedNode;
import gatebook.events.CallEvent;
import gatebook.events.Event;
import gatebook.events.MessageRefused;
import gatebook.events.fault.Malformed.LengthMismatch;
import gatebook.events.fault.Malformed.Oversize;
import gatebook.events.fault.Malformed.ParseDefect;
import gatebook.events.fault.Malformed.ParseError;
import gatebook.events.fault.Malformed.UnsupportedContentEncoding;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Erring callers, who send too much, too little or the wrong thing: error responses, no alarm. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ErringCallersTest {

  private static final String PING =
      """
      {"jsonrpc":"2.0","id":1,"method":"ping"}\
      """;
  private static final Pattern CALL_ID =
      Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");
  private static final int MEBIBYTES = 1 << 20;
  private static final int STORED_BYTES_MAX = 16 << 10;

  private @Nullable WatchedNode started;

  @BeforeAll
  void start(@TempDir Path folder) throws IOException {
    Files.writeString(folder.resolve("none.cedar"), "forbid (principal, action, resource);");
    started = WatchedNode.start(folder, rules());
  }

  @AfterAll
  void stop() {
    try (WatchedNode node = node()) {
      nobodyIsPagedAndNothingLongIsKept(node);
    }
  }

  /** After all tests, whose events and lines the node still has. */
  private static void nobodyIsPagedAndNothingLongIsKept(WatchedNode node) {
    Set<String> calls =
        node.events().stream()
            .filter(CallEvent.class::isInstance)
            .map(event -> ((CallEvent) event).callId().toString())
            .collect(Collectors.toSet());
    List<String> ours =
        node.lines().stream()
            .filter(line ->
                CALL_ID.matcher(line).results().map(MatchResult::group).anyMatch(calls::contains))
            .toList();

    assertThat(ours)
        .isNotEmpty()
        .noneMatch(line -> line.contains("\"level\":\"error\""))
        .allMatch(line -> line.length() < STORED_BYTES_MAX);
    assertThat(node.stored()).allMatch(payload -> payload.length() < STORED_BYTES_MAX);
  }

  @Test
  void hugeMethodNameIsUnknownAndTruncated() throws IOException {
    String method = "m".repeat(3 * MEBIBYTES);

    WatchedNode.Seen seen =
        seen(
            "long-method",
            """
            {"jsonrpc":"2.0","id":1,"method":"%s"}\
            """
                .formatted(method));

    assertThat(seen.answer().body())
        .contains("\"code\":-32601,", "\"details\":\"" + "m".repeat(1_024) + "\"");
    assertThat(onlyLine(seen)).containsEntry("method", "m".repeat(1_024));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"%s\"", "1%s"})
  void hugeIdIsReturnedAndLogged(String form) throws IOException {
    String id = form.formatted("7".repeat(3 * MEBIBYTES));
    String correlation = "long-id-" + form.length();

    WatchedNode.Seen seen =
        seen(
            correlation,
            """
            {"jsonrpc":"2.0","id":%s,"method":"none"}\
            """
                .formatted(id));

    assertThat(seen.answer().body())
        .startsWith(
            """
            {"jsonrpc":"2.0","id":%s,"error":{"code":-32601,\
            """
                .formatted(id));
    assertThat(String.valueOf(onlyLine(seen).get("id"))).hasSize(1_024);
  }

  @Test
  void hugeToolNameIsInvalid() throws IOException {
    WatchedNode.Seen seen = seen("long-name", toolCall("n".repeat(3 * MEBIBYTES)));

    assertThat(seen.answer().body())
        .contains("\"code\":-32602,", "\"param\":\"name\"", "at most 1024 characters");
    assertThat(onlyLine(seen)).containsEntry("param", "name");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "tools/call          | {'name':'SECRET'}                                   | name",
        "prompts/get         | {'name':'SECRET'}                                   | name",
        "resources/read      | {'uri':'x://SECRET'}                                | uri",
        "resources/subscribe | {'uri':'x://SECRET'}                                | uri",
        "completion/complete | {'ref':{'type':'ref/resource','uri':'x://SECRET'}}  | ref",
        "subscriptions/listen | {'notifications':{'resourceSubscriptions':['x://SECRET']}} |"
            + " notifications.resourceSubscriptions",
        "tools/call          | {}                                                  | name",
        "resources/read      | {'name':'x'}                                        | uri",
        "resources/unsubscribe | {}                                                | uri",
        "completion/complete | {}                                                  | ref",
        "tools/call          | {'name':'echo','arguments':[]}                      | arguments",
        "tools/list          | {'cursor':5}                                        | cursor",
        "tools/call          | {'name':'echo','_meta':5}                           | _meta",
        "ping                | [1]                                                 | params",
      })
  void invalidParamsNameTheParameterAndHaveDetails(String method, String params, String param)
      throws IOException {
    String body =
        """
        {"jsonrpc":"2.0","id":1,"method":"%s","params":%s}\
        """
            .formatted(method, params.replace('\'', '"').replace("SECRET", "AKIAIOSFODNN7EXAMPLE"));

    WatchedNode.Seen seen = seen("param-" + Integer.toHexString(body.hashCode()), body);

    assertThat(seen.answer().body())
        .contains(
            "\"code\":-32602,",
            "\"details\":\"%s: expected ".formatted(param),
            "\"param\":\"%s\"".formatted(param));
    assertThat(onlyLine(seen)).containsEntry("param", param);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "resources/read      | {'uri':'file:///etc/hosts'} | resource | file:///etc/hosts",
        "resources/subscribe | {'uri':'file:///home/ada/a.txt'} | resource |"
            + " file:///home/ada/a.txt",
        "subscriptions/listen | {'notifications':{'resourceSubscriptions':['file:///a']}} |"
            + " resource | file:///a",
        "prompts/get         | {'name':'hidden_one'} | prompt | hidden_one",
        "completion/complete | {'ref':{'type':'ref/resource','uri':'file:///tmp/{x}'}} | resource |"
            + " file:///tmp/{x}",
        "completion/complete | {'ref':{'type':'ref/prompt','name':'hidden_one'}} | prompt |"
            + " hidden_one",
        "tools/call          | {'name':'hidden_one'} | tool | hidden_one",
      })
  void whatIsDeniedIsCalledWhatItIsByTheNameThatWasSent(
      String method, String params, String kind, String name) throws IOException {
    String body =
        """
        {"jsonrpc":"2.0","id":1,"method":"%s","params":%s}\
        """
            .formatted(method, params.replace('\'', '"'));

    WatchedNode.Seen seen = seen("denied-" + Integer.toHexString(body.hashCode()), body);

    String capital = kind.substring(0, 1).toUpperCase(Locale.ROOT) + kind.substring(1);
    assertThat(seen.answer().body())
        .contains(
            """
            "message":"%s '%s' is denied by governance rules"\
            """
                .formatted(capital, name),
            "\"%s\":\"%s\"".formatted(kind, name));
    assertThat(seen.answer().body().contains("\"tool\":")).isEqualTo(kind.equals("tool"));
    assertThat(onlyLine(seen)).containsKey(kind);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "resources/read | {'uri':'gone:a'}       | resource | Resource 'gone:a' is not available",
        "prompts/get    | {'name':'gone_a'}      | prompt   | Prompt 'gone_a' is not available",
        "resources/read | {'uri':'forbidden:a'}  | resource |"
            + " Policy denied access to resource 'forbidden:a'",
        "prompts/get    | {'name':'forbidden_a'} | prompt   |"
            + " Policy denied access to prompt 'forbidden_a'",
        "resources/read | {'uri':'late:a'}       | resource |"
            + " Approval timeout for resource 'late:a' after 5s",
        "prompts/get    | {'name':'late_a'}      | prompt   |"
            + " Approval timeout for prompt 'late_a' after 5s",
        "subscriptions/listen | {'notifications':{'resourceSubscriptions':['gone:a']}} |"
            + " resource | Resource 'gone:a' is not available",
        "subscriptions/listen | {'notifications':{'resourceSubscriptions':['forbidden:a']}} |"
            + " resource | Policy denied access to resource 'forbidden:a'",
        "subscriptions/listen | {'notifications':{'resourceSubscriptions':['late:a']}} |"
            + " resource | Approval timeout for resource 'late:a' after 5s",
      })
  void everyGateCallsWhatItDeniesByItsKind(
      String method, String params, String kind, String message) throws IOException {
    String body = request(method, params);

    WatchedNode.Seen seen = seen("gate-" + Integer.toHexString(body.hashCode()), body);

    assertDenied(seen.answer(), kind, message);
    assertThat(onlyLine(seen)).containsKey(kind).doesNotContainKey("tool");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "resources/read | {'uri':'asked:a'}  | resource | Approval rejected for resource 'asked:a'",
        "prompts/get    | {'name':'asked_a'} | prompt   | Approval rejected for prompt 'asked_a'",
        "subscriptions/listen | {'notifications':{'resourceSubscriptions':['asked:a']}} |"
            + " resource | Approval rejected for resource 'asked:a'",
      })
  void whatIsRejectedIsCalledByItsKind(String method, String params, String kind, String message)
      throws IOException {
    String correlation = "rejected-" + Integer.toHexString(params.hashCode());
    CompletableFuture<RawHttp.Answer> held = node().hold(correlation, request(method, params));
    node().decide(correlation, false, "no");

    RawHttp.Answer answer = held.join();
    assertDenied(answer, kind, message);
    assertThat(node().seen(correlation, answer).lines())
        .hasSize(1)
        .allSatisfy(line -> assertThat(line).containsKey(kind).doesNotContainKey("tool"));
  }

  private static String request(String method, String params) {
    return """
    {"jsonrpc":"2.0","id":1,"method":"%s","params":%s}\
    """
        .formatted(method, params.replace('\'', '"'));
  }

  private static void assertDenied(RawHttp.Answer answer, String kind, String message) {
    assertThat(answer.body())
        .contains("\"message\":\"%s\"".formatted(message), "\"%s\":\"".formatted(kind))
        .doesNotContain("\"tool\":");
  }

  @Test
  void disconnectWithinTheBodyIsAParseError() throws IOException {
    hangUp("hung-up", "Content-Length: 1000", "{\"jsonrpc\"");

    assertThat(refusal("hung-up").fault()).isEqualTo(new LengthMismatch(1_000, 10));
  }

  @Test
  void disconnectBetweenChunksIsAParseError() throws IOException {
    hangUp("hung-up-chunked", "Transfer-Encoding: chunked", "5\r\n{\"jso\r\n");

    assertThat(refusal("hung-up-chunked").fault())
        .isEqualTo(new ParseError(ParseDefect.CUT_SHORT, 5L));
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "deflate", "x-gzip"})
  void wrongContentEncodingIsAParseError(String encoding) throws IOException {
    WatchedNode.Seen seen = seen("bad-" + encoding, PING, "Content-Encoding: " + encoding);

    assertThat(seen.answer().status()).isEqualTo(200);
    assertThat(seen.answer().body())
        .isEqualTo(
            """
            {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse \
            error","data":{"correlation_id":"bad-%s","details":"bad-compression"}}}\
            """
                .formatted(encoding));
    assertThat(refusal("bad-" + encoding).fault())
        .isEqualTo(new ParseError(ParseDefect.BAD_COMPRESSION, null));
    assertThat(onlyLine(seen)).containsEntry("reason", "bad-compression");
  }

  static Stream<Arguments> brokenCompressions() throws IOException {
    byte[] gzip = gzip(toolCall("echo"));
    byte[] deflate = deflate(toolCall("echo"));
    return Stream.of(
        arguments("gzip-without-its-end", "gzip", Arrays.copyOf(gzip, gzip.length - 9)),
        arguments("gzip-with-garbage-behind", "gzip", Arrays.copyOf(gzip, gzip.length + 9)),
        arguments("half-a-gzip", "gzip", Arrays.copyOf(gzip, gzip.length / 2)),
        arguments("gzip-of-abc", "gzip", "abc".getBytes(UTF_8)),
        arguments("no-gzip-at-all", "gzip", new byte[0]),
        arguments("half-a-deflate", "deflate", Arrays.copyOf(deflate, deflate.length / 2)),
        arguments(
            "deflate-with-garbage-behind", "deflate", Arrays.copyOf(deflate, deflate.length + 1)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("brokenCompressions")
  void brokenCompressionIsAParseErrorAndNothingIsForwarded(
      String correlation, String encoding, byte[] body) throws IOException {
    RawHttp.Answer answer = node().post("/mcp", correlation, body, "Content-Encoding: " + encoding);

    assertThat(answer.body()).isEqualTo(parseError(correlation, "bad-compression"));
    assertThat(refusal(correlation).fault())
        .isEqualTo(new ParseError(ParseDefect.BAD_COMPRESSION, null));
  }

  @Test
  void callWithAnUnreadableChunkIsNotForwarded() throws IOException {
    String call = toolCall("echo");
    String request =
        "POST /mcp HTTP/1.1\r\nHost: localhost:%d\r\nX-Correlation-Id: bad-chunk\r\n"
                .formatted(node().at(Port.CALLERS).port())
            + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "%x\r\n%s\r\nzz\r\n".formatted(call.length(), call);

    RawHttp.Answer answer = RawHttp.send(node().at(Port.CALLERS), request);

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.headers()).contains("connection: close");
    assertThat(answer.body())
        .isEqualTo(parseError("bad-chunk", "bad-chunk at byte " + call.length()));
    assertThat(refusal("bad-chunk").fault())
        .isEqualTo(new ParseError(ParseDefect.BAD_CHUNK, (long) call.length()));
  }

  @Test
  void compressedBodyThatDecodesToTooMuchIsOversize() throws IOException {
    byte[] body = gzip(" ".repeat(11 * MEBIBYTES));

    RawHttp.Answer answer = node().post("/mcp", "bomb", body, "Content-Encoding: gzip");

    assertThat(answer.body()).contains("\"code\":-32600,", "\"reason\":\"oversize\"");
    assertThat(refusal("bomb").fault()).isEqualTo(new Oversize(10_485_760, null));
  }

  private static String parseError(String correlation, String details) {
    return """
    {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse \
    error","data":{"correlation_id":"%s","details":"%s"}}}\
    """
        .formatted(correlation, details);
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (OutputStream gzip = new GZIPOutputStream(compressed)) {
      gzip.write(text.getBytes(UTF_8));
    }
    return compressed.toByteArray();
  }

  private static byte[] deflate(String text) throws IOException {
    return deflate(text, new Deflater());
  }

  private static byte[] deflate(String text, Deflater deflater) throws IOException {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (deflater;
        OutputStream deflate = new DeflaterOutputStream(compressed, deflater)) {
      deflate.write(text.getBytes(UTF_8));
    }
    return compressed.toByteArray();
  }

  static Stream<Arguments> compressions() throws IOException {
    return Stream.of(
        arguments("gzip", gzip(PING)),
        arguments("X-GZIP", gzip(PING)),
        arguments("deflate", deflate(PING)),
        arguments("deflate", deflate(PING, new Deflater(Deflater.BEST_SPEED, true))));
  }

  @ParameterizedTest
  @MethodSource("compressions")
  void compressedBodyWithItsHeaderIsRead(String encoding, byte[] compressed) throws IOException {
    RawHttp.Answer answer =
        node().post("/mcp", "compressed", compressed, "Content-Encoding: " + encoding);

    assertThat(answer.body())
        .isEqualTo(
            """
            {"jsonrpc":"2.0","id":1,"result":{}}\
            """);
  }

  private static Map<String, Double> invalidRequests(int count) {
    return Map.of(
        "thoughtgate_errors_total{category=\"client\",code=\"-32600\",gate=\"\"}", (double) count);
  }

  @ParameterizedTest
  @CsvSource({"/mcp,br", "/rpc,br", "/flow,br", "/a2a,br", "/mcp,snappy", "/mcp,zstd"})
  void unsupportedContentEncodingIsRefusedByItsName(String path, String encoding)
      throws IOException {
    String correlation = encoding + path.replace('/', '-');
    RawHttp.Answer answer =
        node().post(path, correlation, PING.getBytes(UTF_8), "Content-Encoding: " + encoding);

    assertThat(answer.status()).isEqualTo(415);
    assertThat(answer.body())
        .startsWith(
            """
            {"jsonrpc":"2.0","id":null,"error":{"code":-32600,\
            """)
        .contains(
            """
            "reason":"unsupported-content-encoding"\
            """,
            correlation);
    assertThat(refusal(correlation).fault()).isEqualTo(new UnsupportedContentEncoding(encoding));
    assertThat(onlyLine(node().seen(correlation, answer)))
        .containsEntry("content_encoding", encoding);
  }

  @Test
  void identityIsAValidContentEncoding() throws IOException {
    assertThat(
            node()
                .post("/mcp", "identity", PING.getBytes(UTF_8), "Content-Encoding: identity")
                .body())
        .isEqualTo(
            """
            {"jsonrpc":"2.0","id":1,"result":{}}\
            """);
  }

  @Test
  void oversizeBodyIsDrainedUpToTheDrainLimit() throws IOException {
    Map<String, Double> before = node().counted();
    long limit = 10_485_760;
    RawHttp.Answer drained = node().post("/mcp", "drained", new byte[64 << 20]);
    RawHttp.Answer endless = node().post("/mcp", "endless", new byte[(64 << 20) + 1]);

    assertThat(drained.status()).isEqualTo(200);
    assertThat(refusal("drained").fault()).isEqualTo(new Oversize(limit, 64L << 20));
    assertThat(endless.status()).isEqualTo(413);
    assertThat(endless.body()).contains("\"code\":-32600,", "\"reason\":\"oversize\"");
    assertThat(refusal("endless").fault()).isEqualTo(new Oversize(limit, (64L << 20) + 1, true));
    assertThat(onlyLine(node().seen("endless", endless))).containsEntry("message", "Oversize");
    assertThat(node().increments(before)).isEqualTo(invalidRequests(2));
  }

  private WatchedNode.Seen seen(String correlationId, String body, String... headers)
      throws IOException {
    return node()
        .seen(correlationId, node().post("/mcp", correlationId, body.getBytes(UTF_8), headers));
  }

  private static Map<String, Object> onlyLine(WatchedNode.Seen seen) {
    assertThat(seen.lines()).hasSize(1);
    assertThat(seen.lines().getFirst()).containsEntry("level", "warn");
    return seen.lines().getFirst();
  }

  private void hangUp(String correlationId, String length, String begun) throws IOException {
    var at = node().at(Port.CALLERS);
    try (Socket socket = new Socket(at.host(), at.port())) {
      socket
          .getOutputStream()
          .write(
              "POST /mcp HTTP/1.1\r\nHost: localhost:%d\r\nX-Correlation-Id: %s\r\n%s\r\n\r\n%s"
                  .formatted(at.port(), correlationId, length, begun)
                  .getBytes(UTF_8));
    }
    await().until(() -> !node().events(correlationId).isEmpty());
  }

  private MessageRefused refusal(String correlationId) {
    List<Event> events = node().events(correlationId);
    assertThat(events).hasSize(1).first().isInstanceOf(MessageRefused.class);
    return (MessageRefused) events.getFirst();
  }

  private static String rules() {
    return """
    schema: 1
    sources: [{id: demo, kind: demo, expose: {mode: blocklist, tools: ["gone*"]}}]
    governance:
      defaults: {action: forward}
      rules:
        - {match: "file:*", action: deny}
        - {match: "hidden_*", action: deny}
        - {match: "forbidden*", action: policy, policy_id: none}
        - {match: "asked*", action: approve, approval: patient}
        - {match: "late*", action: approve, approval: hasty}
    approval:
      patient: {timeout: 10m}
      hasty: {timeout: 5s}
    cedar: {policies: [none.cedar]}
    operators: [{name: alice, token_hash: "%s", roles: [approve]}]
    """
        .formatted(WatchedNode.hash(NodeCaller.ALICE));
  }

  private WatchedNode node() {
    return Objects.requireNonNull(started);
  }
}
