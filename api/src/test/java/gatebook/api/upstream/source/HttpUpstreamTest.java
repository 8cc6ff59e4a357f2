package gatebook.api.upstream.source;

import static gatebook.api.upstream.source.StubServer.EVENTS;
import static gatebook.api.upstream.source.StubServer.JSON;
import static gatebook.api.upstream.source.TestSources.PATIENT_MILLIS;
import static gatebook.api.upstream.source.TestSources.limited;
import static gatebook.api.upstream.source.TestSources.mcp;
import static gatebook.api.upstream.source.UpstreamFixture.CALL;
import static gatebook.api.upstream.source.UpstreamFixture.call;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Call;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.MessageListener;
import gatebook.api.upstream.Upstream.Response;
import gatebook.api.upstream.agent.client.AgentLimits;
import gatebook.api.upstream.http.ConnectionLimits;
import gatebook.api.upstream.source.StubServer.Script;
import gatebook.command.rules.Source;
import gatebook.events.call.JsonValue;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected.Limit;
import gatebook.events.fault.Misdirected.RateLimited;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import gatebook.events.fault.UpstreamFault.UpstreamError;
import gatebook.events.fault.UpstreamFault.UpstreamTimeout;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Order(1)
class HttpUpstreamTest {

  /** Short enough to wait for, and long enough to connect on a busy machine. */
  private static final int SHORT_MILLIS = 1_500;

  private static final ConnectionLimits ONE_CONNECTION =
      new ConnectionLimits(1, 1_024, 30_000, 5_000, 8 << 10, 10L << 20, 16, 60_000);

  private final UpstreamFixture upstreamFixture = new UpstreamFixture();

  @AfterEach
  void close() {
    upstreamFixture.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "{}",
        "[ 1.50 , -0, 1e400, 123456789012345678901234567890 ]",
        """
        { "a" : "\\u00e9 é \\/ 🙂" , "isError" : "true", "x":{"isError":true} }\
        """
      })
  void aResultIsReturnedByteForByte(String result) throws IOException {
    assertThat(
            responseTo(
                answering(
                    200,
                    JSON,
                    """
                    {"jsonrpc":"2.0","id":ID,"result": %s }\
                    """
                        .formatted(result))))
        .isEqualTo(new Ended.Result(result, false));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "tools/call  | {\"arguments\": null, \"name\":\"a\"} | {\"name\":\"a\"}",
        "tools/call  | {\"name\":\"a\",\"arguments\":null} | {\"name\":\"a\"}",
        "prompts/get | {\"name\":\"a\",\"arguments\":null} | {\"name\":\"a\"}",
        "tools/call  | {\"name\":\"a\",\"arguments\":{\"b\":null}} |"
            + " {\"name\":\"a\",\"arguments\":{\"b\":null}}",
      })
  void argumentsOfNullAreAbsent(String method, String params, String sent) throws Exception {
    try (StubServer stubServer = StubServer.each(answering(200, JSON, result("{}")))) {
      Upstream upstream =
          upstreamFixture.upstream(limited(stubServer.url("/mcp"), PATIENT_MILLIS, PATIENT_MILLIS));

      upstream.call(new Call(null, method, params, false, Map.of()), MessageListener.NONE).join();

      assertThat(stubServer.requests.take().body().replace(" ", ""))
          .contains("\"params\":" + sent + "}");
    }
  }

  @Test
  void aResultWithIsErrorIsAToolError() throws IOException {
    String result =
        """
        {"content":[],"isError":true}\
        """;

    assertThat(responseTo(answering(200, JSON, result(result))))
        .isEqualTo(new Ended.Result(result, true));
  }

  @Test
  void aRequestHasAnOwnIdAndTheForwardedHeaders() throws Exception {
    Source source =
        TestSources.source(
            URI.create("http://x"),
            Source.Kind.MCP,
            "up_",
            Map.of("Authorization", "Bearer ours", "X-Own", "1"),
            PATIENT_MILLIS,
            PATIENT_MILLIS);
    try (StubServer stubServer = StubServer.each(answering(200, JSON, result("{}")))) {
      Upstream upstream = upstreamFixture.upstream(at(source, stubServer.url("/mcp?key=1")));
      Map<String, String> sent =
          Map.of(
              "traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
              "tracestate", "a=b",
              "MCP-Protocol-Version", "2025-11-25",
              "Mcp-Param-Region", "eu",
              "Authorization", "Bearer callers",
              "Cookie", "a=b",
              "Accept", "text/html");
      String params =
          """
          { "name" : "up_echo","arguments":{"name":"up_echo", "n": 1.50}}\
          """;

      upstream.call(new Call(null, "tools/call", params, false, sent), MessageListener.NONE).join();

      StubServer.Request request = stubServer.requests.take();
      assertThat(request.body())
          .isEqualTo(
              """
              {"jsonrpc":"2.0","id":1,"method":"tools/call","params":%s}\
              """
                  .formatted(params.replace(" \"up_echo\",\"arg", " \"echo\",\"arg")));
      assertThat(request.head().lines().filter(line -> !line.isEmpty()))
          .containsExactlyInAnyOrder(
              "POST /mcp?key=1 HTTP/1.1",
              "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
              "tracestate: a=b",
              "mcp-protocol-version: 2025-11-25",
              "mcp-param-region: eu",
              "Mcp-Method: tools/call",
              "Mcp-Name: echo",
              "Authorization: Bearer ours",
              "X-Own: 1",
              "content-type: application/json",
              "accept: application/json, text/event-stream",
              "accept-encoding: identity",
              "host: 127.0.0.1:" + stubServer.url("").getPort(),
              "content-length: " + request.body().length());
    }
  }

  @Test
  void aJsonRpcSourceGetsItsOwnMethodName() throws Exception {
    Source source =
        TestSources.source(
            URI.create("http://x"),
            Source.Kind.JSONRPC,
            "t.",
            Map.of(),
            PATIENT_MILLIS,
            PATIENT_MILLIS);
    try (StubServer stubServer = StubServer.each(answering(200, JSON, result("1")))) {
      Upstream upstream = upstreamFixture.upstream(at(source, stubServer.url("/rpc")));

      upstream.call(call("t.sum", "[1.0]"), MessageListener.NONE).join();

      StubServer.Request request = stubServer.requests.take();
      assertThat(request.body())
          .isEqualTo(
              """
              {"jsonrpc":"2.0","id":1,"method":"sum","params":[1.0]}\
              """);
      assertThat(request.header("accept")).isEqualTo("application/json");
      assertThat(request.header("mcp-method")).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "up_größer, =?base64?Z3LDtsOfZXI=?=",
    "'up_ a', '=?base64?IGE=?='",
    "up_=?b, =?base64?PT9i?="
  })
  void aNameThatFitsNoHeaderIsEncoded(String name, String header) throws Exception {
    Source source =
        TestSources.source(
            URI.create("http://x"),
            Source.Kind.MCP,
            "up_",
            Map.of(),
            PATIENT_MILLIS,
            PATIENT_MILLIS);
    try (StubServer stubServer = StubServer.each(answering(200, JSON, result("{}")))) {
      Upstream upstream = upstreamFixture.upstream(at(source, stubServer.url("/")));

      upstream
          .call(call("resources/read", "{\"uri\":\"%s\"}".formatted(name)), MessageListener.NONE)
          .join();

      assertThat(stubServer.requests.take().header("mcp-name")).isEqualTo(header);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 202, 204})
  void aNotificationHasNoIdAndIsAccepted(int status) throws Exception {
    try (StubServer stubServer = StubServer.each(answering(status, "", ""))) {
      Upstream upstream = upstreamFixture.upstream(mcp(stubServer.url("/")));

      Response response =
          upstream
              .call(new Call(null, "notifications/x", null, true, Map.of()), MessageListener.NONE)
              .join();

      assertThat(response).isEqualTo(new Ended.Accepted());
      assertThat(stubServer.requests.take().body())
          .isEqualTo(
              """
              {"jsonrpc":"2.0","method":"notifications/x"}\
              """);
    }
  }

  @Test
  void consecutiveCallsShareAConnection() throws IOException {
    try (StubServer stubServer = StubServer.each(answering(200, JSON, result("{}")))) {
      Upstream upstream = upstreamFixture.upstream(mcp(stubServer.url("/")), ONE_CONNECTION);

      for (int i = 0; i < 20; i++) {
        upstream.call(CALL, MessageListener.NONE).join();
      }

      assertThat(stubServer.accepted()).isEqualTo(1);
      assertThat(stubServer.requests).extracting(StubServer.Request::id).doesNotHaveDuplicates();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        """
        200 | {"code":-32042,"message":"no"} | -32042 | no |\
        """,
        """
        404 | {"code":-32601,"message":"no","data":null} | -32601 | no | null\
        """,
        """
        500 | {"code":7,"message":"no","data":1.50} | 7 | no | 1.50\
        """,
        """
        429 | {"code":7,"message":"no","data":[1]} | 7 | no | [1]\
        """,
        """
        200 | {"code":7,"message":"no","data":"x"} | 7 | no | "x"\
        """,
        """
        400 | {"code":-32022,"message":"v","data":{"supported":[]}} | -32022 | v | \
        {"supported":[]}\
        """,
        """
        200 | {"code":2147483648,"message":"no"} | | no |\
        """,
        """
        200 | {"code":-1e400,"message":"no"} | | no |\
        """,
        """
        200 | {"code":"7","message":"no"} | | no |\
        """,
        "200 | {\"code\":7} | 7 | | ",
        """
        200 | {"code":7,"message":{}} | 7 | |\
        """
      })
  void aForeignErrorKeepsItsCodeMessageAndData(
      int status,
      String error,
      @Nullable Integer code,
      @Nullable String message,
      @Nullable String data)
      throws IOException {
    String body =
        """
        {"jsonrpc":"2.0","id":ID,"error":%s}\
        """
            .formatted(error);

    assertThat(responseTo(answering(status, JSON, body)))
        .isEqualTo(
            new Ended.ForeignError(
                "tools", code, message, data == null ? null : JsonValue.parse(data), status));
  }

  @ParameterizedTest
  @CsvSource({
    "301, 'a redirect, which is not followed (status 301)'",
    "307, 'a redirect, which is not followed (status 307)'",
    "400, status 400",
    "401, status 401",
    "403, status 403",
    "404, status 404",
    "422, status 422",
    "500, status 500",
    "502, status 502",
    "202, 'no answer, but status 202'",
    "204, 'no answer, but status 204'"
  })
  void anotherStatusIsAnUpstreamError(int status, String words) throws IOException {
    String body = status == 204 ? "" : "<html>no</html>";
    String headers = "Content-Type: text/html\r\nLocation: /elsewhere\r\n";

    assertThat(responseTo(answering(status, headers, body))).isEqualTo(error(words, status));
  }

  @ParameterizedTest
  @ValueSource(strings = {JSON, "Content-Type: text/event-stream\r\n"})
  void aCompressedAnswerIsNamedAsSuch(String type) throws IOException {
    assertThat(responseTo(answering(200, type + "Content-Encoding: gzip\r\n", "\u001f\u008b")))
        .isEqualTo(error("the answer is compressed, which was not asked for", null));
    assertThat(responseTo(answering(200, type + "Content-Encoding: identity\r\n", result("{}"))))
        .isNotEqualTo(error("the answer is compressed, which was not asked for", null));
  }

  @ParameterizedTest
  @CsvSource({
    "Retry-After: 7, 7",
    "Retry-After: Thu, ",
    "X: 1, ",
    "'Retry-After: Thu, 01 Jan 1970 00:00:00 GMT', 0"
  })
  void rateLimitedAndUnavailableKeepRetryAfter(String header, @Nullable Long seconds)
      throws IOException {
    assertThat(responseTo(answering(429, header + "\r\n", "")))
        .isEqualTo(failure(new RateLimited(Limit.UPSTREAM, seconds)));
    assertThat(responseTo(answering(503, header + "\r\n", "")))
        .isEqualTo(failure(new ServiceUnavailable(Cause.UPSTREAM, seconds)));
  }

  static List<Bad> bodies() {
    String deep = "[".repeat(256) + "]".repeat(256);
    return List.of(
        new Bad("", "empty"),
        new Bad(
            """
            {"jsonrpc":"2.0","id":ID,"result":{}\
            """,
            "not JSON (syntax)"),
        new Bad("<html>", "not JSON (syntax)"),
        new Bad("\uFEFF" + result("{}"), "not JSON (byte-order-mark)"),
        new Bad(result("\"\u00ff\""), "not JSON (invalid-utf8)"),
        new Bad(result("1") + result("2"), "not JSON (trailing-bytes)"),
        new Bad("[" + result("1") + "]", "an array"),
        new Bad("7", "no object"),
        new Bad("{\"id\":ID,\"result\":1}", "its jsonrpc is not \"2.0\""),
        new Bad(
            """
            {"jsonrpc":2.0,"id":ID,"result":1}\
            """,
            "its jsonrpc is not \"2.0\""),
        new Bad(
            """
            {"jsonrpc":"2.0","id":ID}\
            """,
            "neither a result nor an error"),
        new Bad(
            """
            {"jsonrpc":"2.0","id":ID,"result":1,"error":{"code":1,"message":""}}\
            """,
            "both a result and an error"),
        new Bad(
            """
            {"jsonrpc":"2.0","id":ID,"error":1}\
            """,
            "its error is no object"),
        new Bad(
            """
            {"jsonrpc":"2.0","id":"ID","result":1}\
            """,
            "its id is not that of the request"),
        new Bad(
            """
            {"jsonrpc":"2.0","id":null,"result":1}\
            """,
            "its id is not that of the request"),
        new Bad(
            """
            {"jsonrpc":"2.0","id":ID.0,"result":1}\
            """,
            "its id is not that of the request"),
        new Bad(
            """
            {"jsonrpc":"2.0","result":1}\
            """,
            "its id is not that of the request"),
        new Bad(result("{\"a\":1,\"a\":2}"), "a key is repeated"),
        new Bad(result(deep), "deeper than 256 levels"),
        new Bad(
            """
            {"jsonrpc":"2.0","id":ID,"method":"ping"}\
            """,
            "a call"));
  }

  record Bad(String body, String words) {
    byte[] bytes(String id) {
      boolean raw = body.contains("\u00ff");
      return body.replace("ID", id).getBytes(raw ? ISO_8859_1 : UTF_8);
    }
  }

  @ParameterizedTest
  @MethodSource("bodies")
  void anInvalidResponseIsAnUpstreamError(Bad bad) throws IOException {
    Script script = peer -> peer.answer(200, JSON, bad.bytes(peer.request().id()));

    assertThat(responseTo(script))
        .isEqualTo(error("the answer is not JSON-RPC: " + bad.words, 200));
  }

  @Test
  void aLoneSurrogateLosesNoAnswer() throws IOException {
    String result =
        """
        {"a\\ud800":["\\udc00b"],"isError":true}\
        """;
    String error =
        """
        {"code":-1,"message":"a\\ud800b","data":"\\udc00"}\
        """;

    assertThat(responseTo(answering(200, JSON, result(result))))
        .isEqualTo(new Ended.Result(result, true));
    assertThat(
            responseTo(
                answering(
                    200,
                    JSON,
                    """
                    {"jsonrpc":"2.0","id":ID,"error":%s}\
                    """
                        .formatted(error))))
        .isEqualTo(
            new Ended.ForeignError("tools", -1, "a\ufffdb", JsonValue.parse("\"\\udc00\""), 200));
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/plain", "text/html; charset=utf-8", "application/xml"})
  void anotherMediaTypeIsAnUpstreamError(String type) throws IOException {
    assertThat(responseTo(answering(200, "Content-Type: %s\r\n".formatted(type), result("{}"))))
        .isEqualTo(error("the answer's media type is not JSON", 200));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Content-Type: Application/JSON; charset=utf-8\r\n"})
  void everySpellingOfTheJsonMediaTypeIsAccepted(String header) throws IOException {
    assertThat(responseTo(answering(200, header, result("{}"))))
        .isEqualTo(new Ended.Result("{}", false));
  }

  static List<Cut> cuts() {
    return List.of(
        new Cut("", "the connection was closed before an answer"),
        new Cut("HTT", "the connection was closed within the answer's headers"),
        new Cut(
            "HTTP/1.1 200 OK\r\nContent-Ty",
            "the connection was closed within the answer's headers"),
        new Cut(
            "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{\"a",
            "the connection was closed within the answer's body"),
        new Cut(
            "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n",
            "the connection was closed within the answer's body"),
        new Cut(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{\"a\r\n",
            "the connection was closed within the answer's body"),
        new Cut(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nnothex\r\n",
            "the answer is not HTTP"),
        new Cut("SSH-2.0-OpenSSH\r\n\r\n", "the answer is not HTTP"),
        new Cut("HTTP/1.1 OK\r\n\r\n", "the answer is not HTTP"),
        new Cut("HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n", "the answer is not HTTP"),
        new Cut("HTTP/1.1 101 Switching\r\n\r\n", "the answer is not HTTP"),
        new Cut(
            "HTTP/1.1 200 OK\r\nX: " + "x".repeat(9_000) + "\r\n\r\n",
            "the answer's headers are too large"),
        new Cut(
            "HTTP/1.1 200 " + "x".repeat(9_000) + "\r\n\r\n", "the answer's headers are too large"),
        new Cut(
            "HTTP/1.1 200 OK\r\n%sTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n".formatted(EVENTS),
            "the stream ended without an answer"));
  }

  record Cut(String sent, String words) {}

  @ParameterizedTest
  @MethodSource("cuts")
  void aCutResponseSaysWhereItWasCut(Cut cut) throws IOException {
    Script script =
        peer -> {
          peer.request();
          peer.send(cut.sent);
        };

    assertThat(responseTo(script)).isEqualTo(error(cut.words, null));
  }

  @Test
  void aResetConnectionCountsAsClosed() throws IOException {
    Script script =
        peer -> {
          peer.request();
          peer.reset();
        };

    assertThat(responseTo(script))
        .isEqualTo(error("the connection was closed before an answer", null));
  }

  @Test
  void aReadThatGotNoAnswerIsSentOnceMore() throws IOException {
    AtomicInteger requests = new AtomicInteger();
    Script closesFirst =
        peer -> {
          String id = peer.request().id();
          if (requests.incrementAndGet() == 1) {
            peer.reset();
          } else {
            peer.answer(200, JSON, result("{}").replace("ID", id));
          }
        };

    assertThat(responseTo(closesFirst, call("prompts/list", "{}")))
        .isEqualTo(new Ended.Result("{}", false));
    assertThat(requests).hasValue(2);
  }

  @ParameterizedTest
  @CsvSource({"prompts/list, 2", "tools/call, 1", "resources/read, 1"})
  void onlyReadsAreSentTwiceAndNotThrice(String method, int times) throws IOException {
    AtomicInteger requests = new AtomicInteger();
    Script closes =
        peer -> {
          peer.request();
          requests.incrementAndGet();
          peer.reset();
        };

    assertThat(responseTo(closes, call(method, "{}")))
        .isEqualTo(error("the connection was closed before an answer", null));
    assertThat(requests).hasValue(times);
  }

  @Test
  void anAnswerMayEndWithItsConnection() throws IOException {
    Script script =
        peer -> {
          String id = peer.request().id();
          peer.send("HTTP/1.0 200 OK\r\n\r\n" + result("{}").replace("ID", id));
        };

    assertThat(responseTo(script)).isEqualTo(new Ended.Result("{}", false));
  }

  @Test
  void informationalResponsesAreSkipped() throws IOException {
    Script script =
        peer -> {
          String id = peer.request().id();
          peer.send("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nX: 1\r\n\r\n");
          peer.answer(200, JSON, result("{}").replace("ID", id));
        };

    assertThat(responseTo(script)).isEqualTo(new Ended.Result("{}", false));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"})
  void aResponseThatIsLateIsATimeout(String beginning) throws IOException {
    CountDownLatch hungUp = new CountDownLatch(1);
    Script script =
        peer -> {
          peer.request();
          peer.send(beginning);
          peer.waitForEnd();
          hungUp.countDown();
        };
    try (StubServer stubServer = new StubServer(script)) {
      Source source = limited(stubServer.url("/mcp?secret=1"), PATIENT_MILLIS, SHORT_MILLIS);

      assertThat(upstreamFixture.response(source))
          .isEqualTo(
              failure(
                  new UpstreamTimeout("tools", stubServer.url("/mcp").toString(), SHORT_MILLIS)));
      await().until(() -> hungUp.getCount() == 0);
    }
  }

  @Test
  void aSlowBodyDoesNotExtendTheTimeout() throws IOException {
    Script script =
        peer -> {
          peer.request();
          peer.send("HTTP/1.1 200 OK\r\n\r\n");
          while (true) {
            peer.send(" ");
            LockSupport.parkNanos(1_000_000);
          }
        };
    try (StubServer stubServer = new StubServer(script)) {
      assertThat(
              upstreamFixture.response(limited(stubServer.url("/"), PATIENT_MILLIS, SHORT_MILLIS)))
          .isEqualTo(
              failure(new UpstreamTimeout("tools", stubServer.url("/").toString(), SHORT_MILLIS)));
    }
  }

  @Test
  void anAnswerMayBeAsLargeAsTheLimit() throws IOException {
    ConnectionLimits connectionLimits =
        new ConnectionLimits(64, 1_024, 30_000, 5_000, 8 << 10, 100, 16, 60_000);
    int frame = result("\"\"").replace("ID", "1").length();
    String result = "\"" + "x".repeat(100 - frame) + "\"";
    String larger = "\"" + "x".repeat(101 - frame) + "\"";

    assertThat(responseTo(answering(200, JSON, result(result)), connectionLimits))
        .isEqualTo(new Ended.Result(result, false));
    assertThat(responseTo(answering(200, JSON, result(larger)), connectionLimits))
        .isEqualTo(error("the answer is too large", null));
  }

  @Test
  void anEndlessBodyIsCutAtTheLimit() throws IOException {
    Semaphore sent = new Semaphore(0);
    Script script =
        peer -> {
          peer.request();
          peer.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
          byte[] chunk = ("10000\r\n" + "x".repeat(0x10000) + "\r\n").getBytes(UTF_8);
          while (true) {
            peer.send(chunk);
            sent.release();
          }
        };

    assertThat(responseTo(script)).isEqualTo(error("the answer is too large", null));
    assertThat(sent.availablePermits()).isLessThan(1_000); // 64 MB
  }

  @Test
  void theEventThatAnswersIsTheAnswer() throws IOException {
    Script script =
        peer -> {
          String id = peer.request().id();
          peer.send("HTTP/1.1 200 OK\r\n%s\r\n".formatted(EVENTS));
          for (byte one :
              ("""
              \uFEFF: hello\r\n\r\n\
              event: message\r\
              data: {"jsonrpc":"2.0","method":"notifications/progress"}\r\r\
              id: 7\n\
              data\n\n\
              data:{"jsonrpc":"2.0",\n\
              data: "id":\
              """
                      + id
                      + """
                      ,\ndata:"result":{"é":1}}\n\n\
                      """)
                  .getBytes(UTF_8)) {
            peer.send(new byte[] {one});
          }
          peer.waitForEnd();
        };

    assertThat(responseTo(script)).isEqualTo(new Ended.Result("{\"é\":1}", false));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        """
        {"jsonrpc":"2.0","method":"m"}\n%s\n\
        """,
        """
        \n{"jsonrpc":"2.0","method":"m"}\r\n\r\n%s\n\
        """,
        """
        {"jsonrpc":"2.0",
         "method":"}{\\""}
        {"jsonrpc":"2.0","id":"x","result":[1,{}]}
        %s
        """
      })
  void eachJsonLineIsAMessage(String lines) throws IOException {
    List<String> messages = new CopyOnWriteArrayList<>();
    Script script =
        peer -> {
          String id = peer.request().id();
          peer.send("HTTP/1.1 200 OK\r\n%s\r\n".formatted(JSON));
          for (byte one : lines.formatted(result("{\"a\":1}").replace("ID", id)).getBytes(UTF_8)) {
            peer.send(new byte[] {one});
          }
          peer.waitForEnd();
        };
    try (StubServer stubServer = new StubServer(script)) {
      assertThat(
              upstreamFixture
                  .upstream(mcp(stubServer.url("/")))
                  .call(CALL, addingTo(messages))
                  .join())
          .isEqualTo(new Ended.Result("{\"a\":1}", false));
    }
    assertThat(messages).singleElement().asString().contains("\"method\":");
  }

  @Test
  void jsonLinesThatEndWithoutAnAnswerAreAnError() throws IOException {
    String line =
        """
        {"jsonrpc":"2.0","method":"m"}\n\
        """;

    assertThat(responseTo(answering(200, JSON, line + line)))
        .isEqualTo(error("the stream ended without an answer", null));
  }

  @ParameterizedTest
  @ValueSource(strings = {"%s\n", "\n%s", "%s\r\n\r\n"})
  void anAnswerMayHaveSeveralLines(String around) throws IOException {
    String body = around.formatted(result("{\n\"a\":\n1}"));
    Script script =
        peer -> {
          String id = peer.request().id();
          peer.answer(200, JSON, body.replace("ID", id));
        };

    assertThat(responseTo(script)).isEqualTo(new Ended.Result("{\n\"a\":\n1}", false));
  }

  /** Would time out if each line end caused another scan of the whole answer. */
  @Test
  void anAnswerMayEndWithAnyNumberOfLineEnds() throws IOException {
    Script script =
        peer -> {
          String id = peer.request().id();
          peer.answer(200, JSON, result("{}").replace("ID", id) + "\n".repeat(1 << 20));
        };

    assertThat(responseTo(script)).isEqualTo(new Ended.Result("{}", false));
  }

  private static MessageListener addingTo(List<String> messages) {
    return message -> {
      messages.add(new String(message, UTF_8));
      return CompletableFuture.completedFuture(true);
    };
  }

  @Test
  void aConnectionIsReusedAfterAStreamEnds() throws IOException {
    Script script =
        peer -> {
          String id = peer.request().id();
          String event = "data: " + result("{}").replace("ID", id) + "\n\n";
          peer.send("HTTP/1.1 200 OK\r\n%sTransfer-Encoding: chunked\r\n\r\n".formatted(EVENTS));
          peer.send("%x\r\n%s\r\n".formatted(event.length(), event));
          peer.send("0\r\n\r\n");
        };
    try (StubServer stubServer = StubServer.each(script)) {
      Upstream upstream = upstreamFixture.upstream(mcp(stubServer.url("/")), ONE_CONNECTION);

      for (int i = 0; i < 3; i++) {
        assertThat(upstream.call(CALL, MessageListener.NONE).join())
            .isEqualTo(new Ended.Result("{}", false));
      }

      assertThat(stubServer.accepted()).isEqualTo(1);
    }
  }

  @Test
  void anEndlessStreamTimesOut() throws IOException {
    try (StubServer stubServer =
        new StubServer(
            streaming(
                """
                data: {"jsonrpc":"2.0","method":"m"}\n\n\
                """))) {
      assertThat(
              upstreamFixture
                  .upstream(
                      limited(stubServer.url("/mcp"), PATIENT_MILLIS, PATIENT_MILLIS),
                      streams(8 << 10, 2 * SHORT_MILLIS))
                  .call(CALL, MessageListener.NONE)
                  .join())
          .isEqualTo(
              failure(
                  new UpstreamTimeout(
                      "tools", stubServer.url("/mcp").toString(), 2 * SHORT_MILLIS)));
    }
  }

  /** The limit of answers is longer than the timeout of this source, and bounds it. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void notificationsDoNotExtendATimeoutForEver(boolean notifies) throws IOException {
    String message =
        "data: {\"jsonrpc\":\"2.0\",%s\"method\":\"m\"}\n\n".formatted(notifies ? "" : "\"id\":1,");
    Script busy =
        peer -> {
          StubServer.Request request = peer.request();
          peer.send("HTTP/1.1 200 OK\r\n%s\r\n".formatted(EVENTS));
          long started = System.nanoTime();
          while (System.nanoTime() - started < 2 * SHORT_MILLIS * 1_000_000L) {
            peer.send(message);
            LockSupport.parkNanos(10_000_000);
          }
          peer.send("data: %s\n\n".formatted(result("1").replace("ID", request.id())));
        };
    try (StubServer stubServer = new StubServer(busy)) {
      UpstreamLimits limits =
          new UpstreamLimits(
              ConnectionLimits.DEFAULT, AgentLimits.DEFAULT, 256, SHORT_MILLIS + SHORT_MILLIS / 4);
      Source source = limited(stubServer.url("/"), PATIENT_MILLIS, SHORT_MILLIS);

      assertThat(upstreamFixture.upstream(source, limits).call(CALL, MessageListener.NONE).join())
          .isEqualTo(
              notifies
                  ? failure(
                      new UpstreamTimeout(
                          "tools", stubServer.url("/").toString(), SHORT_MILLIS + SHORT_MILLIS / 4))
                  : new Ended.Result("1", false));
    }
  }

  @Test
  void aSilentStreamTimesOutLikeAnAnswer() throws IOException {
    Script silent =
        peer -> {
          peer.request();
          peer.send("HTTP/1.1 200 OK\r\n%s\r\n: here\n\n".formatted(EVENTS));
          peer.waitForEnd();
        };
    try (StubServer stubServer = new StubServer(silent)) {
      assertThat(
              upstreamFixture.response(limited(stubServer.url("/"), PATIENT_MILLIS, SHORT_MILLIS)))
          .isEqualTo(
              failure(new UpstreamTimeout("tools", stubServer.url("/").toString(), SHORT_MILLIS)));
    }
  }

  @Test
  void aStreamWithEventsMayLastLongerThanAnAnswer() throws IOException {
    Script slow =
        peer -> {
          StubServer.Request request = peer.request();
          peer.send("HTTP/1.1 200 OK\r\n%s\r\n".formatted(EVENTS));
          long started = System.nanoTime();
          while (System.nanoTime() - started < 2 * SHORT_MILLIS * 1_000_000L) {
            peer.send(
                """
                data: {"jsonrpc":"2.0","method":"m"}\n\n\
                """);
            LockSupport.parkNanos(10_000_000);
          }
          peer.send("data: %s\n\n".formatted(result("1").replace("ID", request.id())));
        };
    try (StubServer stubServer = new StubServer(slow)) {
      assertThat(
              upstreamFixture.response(limited(stubServer.url("/"), PATIENT_MILLIS, SHORT_MILLIS)))
          .isEqualTo(new Ended.Result("1", false));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {": still here\n\n", "id: 7\n\n", "data: {"})
  void keepAlivesDoNotExtendTheTimeout(String drop) throws IOException {
    Script dripping =
        peer -> {
          StubServer.Request _ = peer.request();
          peer.send("HTTP/1.1 200 OK\r\n%s\r\n".formatted(EVENTS));
          while (true) { // until the connection is closed
            peer.send(drop);
            LockSupport.parkNanos(10_000_000);
          }
        };
    try (StubServer stubServer = new StubServer(dripping)) {
      URI url = stubServer.url("/");
      assertThat(upstreamFixture.response(limited(url, PATIENT_MILLIS, SHORT_MILLIS)))
          .isEqualTo(failure(new UpstreamTimeout("tools", url.toString(), SHORT_MILLIS)));
    }
  }

  @Test
  void reconnectsDoNotExtendTheTimeToTheAnswer() throws IOException {
    AtomicInteger eventId = new AtomicInteger();
    Script cutting =
        peer -> {
          StubServer.Request _ = peer.request();
          peer.send(
              "HTTP/1.1 200 OK\r\n%s\r\nid: %d\nretry: 1\ndata: \n\n"
                  .formatted(EVENTS, eventId.incrementAndGet()));
        };
    try (StubServer stubServer = new StubServer(cutting)) {
      URI url = stubServer.url("/");
      assertThat(upstreamFixture.response(limited(url, PATIENT_MILLIS, SHORT_MILLIS)))
          .isEqualTo(failure(new UpstreamTimeout("tools", url.toString(), SHORT_MILLIS)));
    }
  }

  @Test
  void aStreamWithNewEventsIsResumedOften() throws IOException {
    int cuts = 25;
    AtomicInteger connections = new AtomicInteger();
    AtomicReference<String> callId = new AtomicReference<>("");
    Script cutting =
        peer -> {
          StubServer.Request request = peer.request();
          int connection = connections.getAndIncrement();
          if (connection == 0) {
            callId.set(request.id());
          }
          String data = connection < cuts ? "" : result("1").replace("ID", callId.get());
          peer.send(
              "HTTP/1.1 200 OK\r\n%s\r\nid: %d\nretry: 1\ndata: %s\n\n"
                  .formatted(EVENTS, connection, data));
        };
    try (StubServer stubServer = new StubServer(cutting)) {
      assertThat(upstreamFixture.response(limited(stubServer.url("/"), PATIENT_MILLIS, 60_000)))
          .isEqualTo(new Ended.Result("1", false));
    }
  }

  @Test
  void aStreamWithoutNewEventsIsGivenUp() throws IOException {
    AtomicInteger connections = new AtomicInteger();
    Script cutting =
        peer -> {
          StubServer.Request _ = peer.request();
          connections.incrementAndGet();
          peer.send("HTTP/1.1 200 OK\r\n%s\r\nid: same\nretry: 1\ndata: \n\n".formatted(EVENTS));
        };
    try (StubServer stubServer = new StubServer(cutting)) {
      assertThat(upstreamFixture.response(limited(stubServer.url("/"), PATIENT_MILLIS, 60_000)))
          .isEqualTo(error("the stream ended without an answer", null));
    }
    assertThat(connections).hasValue(11);
  }

  @Test
  void theLimitAppliesToEachEventNotToTheStream() throws IOException {
    String small =
        """
        data: {"jsonrpc":"2.0","method":"m"}\n\n\
        """;
    Script many =
        peer -> {
          StubServer.Request request = peer.request();
          peer.send("HTTP/1.1 200 OK\r\n%s\r\n".formatted(EVENTS));
          peer.send(small.repeat(100));
          peer.send("data: %s\n\n".formatted(result("1").replace("ID", request.id())));
        };
    try (StubServer stubServer = new StubServer(many);
        StubServer large = new StubServer(streaming("data: " + "x".repeat(1_024)))) {
      assertThat(
              upstreamFixture
                  .upstream(mcp(stubServer.url("/")), streams(1_000, 60_000))
                  .call(CALL, MessageListener.NONE)
                  .join())
          .isEqualTo(new Ended.Result("1", false));
      assertThat(
              upstreamFixture
                  .upstream(mcp(large.url("/")), streams(1_000, 60_000))
                  .call(CALL, MessageListener.NONE)
                  .join())
          .isEqualTo(error("the answer is too large", null));
    }
  }

  @Test
  void messagesBeforeTheAnswerAreReadAtTheListenersPace() throws Exception {
    String note =
        """
        {"jsonrpc":"2.0","method":"notifications/progress"}\
        """;
    Script script =
        peer -> {
          StubServer.Request request = peer.request();
          peer.send("HTTP/1.1 200 OK\r\n%s\r\n".formatted(EVENTS));
          peer.send("id: 1\ndata: \n\ndata: %s\n\n".formatted(note));
          peer.send(
              """
              data: {"jsonrpc":"2.0","id":"other","result":1}\n\n\
              """);
          peer.send("data: %s\n\n".formatted(result("1").replace("ID", request.id())));
        };
    List<String> messages = new CopyOnWriteArrayList<>();
    try (StubServer stubServer = new StubServer(script)) {
      Response response =
          upstreamFixture
              .upstream(mcp(stubServer.url("/")))
              .call(
                  CALL,
                  message -> {
                    messages.add(new String(message, UTF_8));
                    return CompletableFuture.supplyAsync(
                        () -> true,
                        CompletableFuture.delayedExecutor(
                            20, TimeUnit.MILLISECONDS, work -> Thread.ofVirtual().start(work)));
                  })
              .get(120, TimeUnit.SECONDS);

      assertThat(response).isEqualTo(new Ended.Result("1", false));
      assertThat(messages).containsExactly(note);
    }
  }

  private static ConnectionLimits streams(int answerBytesMax, long streamMillisMax) {
    return new ConnectionLimits(
        64, 1_024, 30_000, 5_000, 8 << 10, answerBytesMax, 16, streamMillisMax);
  }

  /** A stream that repeats the same text endlessly. */
  private static Script streaming(String piece) {
    return peer -> {
      peer.request();
      peer.send("HTTP/1.1 200 OK\r\n%s\r\n".formatted(EVENTS));
      while (true) {
        peer.send(piece.repeat(100));
      }
    };
  }

  private static Response error(String words, @Nullable Integer status) {
    return failure(new UpstreamError("tools", null, words, null, status));
  }

  private static Response failure(Fault fault) {
    return new Ended.Failure(fault);
  }

  private static String result(String json) {
    return """
    {"jsonrpc":"2.0","id":ID,"result":%s}\
    """
        .formatted(json);
  }

  private static Script answering(int status, String headers, String body) {
    return peer -> {
      StubServer.Request request = peer.request();
      String id = request.body().contains("\"id\":") ? request.id() : "";
      peer.answer(status, headers, body.replace("ID", id));
    };
  }

  private static Source at(Source source, URI url) {
    return new Source(
        source.id(),
        source.kind(),
        url,
        source.prefix(),
        true,
        source.expose(),
        source.headers(),
        source.errors(),
        source.connectMillis(),
        source.answerMillis());
  }

  private Response responseTo(Script script) throws IOException {
    return responseTo(script, ConnectionLimits.DEFAULT);
  }

  private Response responseTo(Script script, ConnectionLimits connectionLimits) throws IOException {
    return responseTo(script, CALL, connectionLimits);
  }

  private Response responseTo(Script script, Call call) throws IOException {
    return responseTo(script, call, ConnectionLimits.DEFAULT);
  }

  private Response responseTo(Script script, Call call, ConnectionLimits connectionLimits)
      throws IOException {
    try (StubServer stubServer = new StubServer(script)) {
      return upstreamFixture
          .upstream(mcp(stubServer.url("/mcp")), connectionLimits)
          .call(call, MessageListener.NONE)
          .join();
    }
  }
}
