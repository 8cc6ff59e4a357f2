package gatebook.api.node.a2a;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.http.Port;
import gatebook.api.http.RawHttp;
import gatebook.api.http.RawHttp.Answer;
import gatebook.api.node.WatchedNode;
import gatebook.events.CallReceived;
import gatebook.events.ErrorTranslated;
import gatebook.events.Event;
import gatebook.events.MessageRefused;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected.UnknownAgent;
import gatebook.events.fault.Unsupported.VersionNotSupported;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The endpoints of A2A over HTTP: which version each speaks, and what it refuses. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class A2aEndpointsOverHttpTest {
  private static final JsonMapper JSON = new JsonMapper();

  private static final String TOKEN = "token-of-ci-0123456789abcdef";
  private static final String UNKNOWN_METHOD =
      """
      {"jsonrpc":"2.0","id":7,"method":"no/such"}\
      """;

  private final AtomicInteger calls = new AtomicInteger();
  private @Nullable WatchedNode started;

  @BeforeAll
  void start(@TempDir Path folder) throws IOException {
    started = WatchedNode.start(folder, rules());
  }

  private static String rules() {
    return """
    schema: 1
    sources: [{id: demo, kind: demo}]
    governance: {defaults: {action: forward}}
    principals:
      - {name: ci, token_hash: "%s"}
    limits: {rate_per_second: 1, rate_burst: 1}
    """
        .formatted(WatchedNode.hash(TOKEN));
  }

  @AfterAll
  void stop() {
    node().close();
  }

  /** The form of an error's data shows the vocabulary that was spoken. */
  @ParameterizedTest
  @CsvSource({
    "/a2a,,vapora",
    "/a2a/,,vapora",
    "/a2a,1.0,1.0",
    "/a2a/,1.0.7,1.0",
    "/a2a,0.3,0.3",
    "/a2a/,0.3.0,0.3",
    "/a2a,'',0.3",
    "/a2a?A2A-Version=1.0,,1.0",
    "/a2a/?A2A-Version=0.3,,0.3",
    "/a2a?A2A-Version=,,0.3",
    "/a2a?A2A-Version=2.0,1.0,1.0",
    "/a2a/v1,,1.0",
    "/a2a/v1/,,1.0",
    "/a2a/v1,1.0,1.0",
    "/a2a/v1?A2A-Version=1.0,,1.0",
    "/a2a/v0.3,,0.3",
    "/a2a/v0.3/,,0.3",
    "/a2a/v0.3,0.3.1,0.3",
    "/a2a/v0.3,'',0.3"
  })
  void endpointSpeaksItsVersion(String path, @Nullable String version, String form)
      throws IOException {
    Exchange exchange = post(path, UNKNOWN_METHOD, version);

    assertThat(exchange.error())
        .isEqualTo(
            switch (form) {
              case "vapora" ->
                  """
                  200 {"code":-32601,"message":"Method not found",\
                  "data":{"correlation_id":"ID","details":"no/such"}}\
                  """;
              case "0.3" ->
                  """
                  200 {"code":-32601,"message":"Method not found",\
                  "data":{"correlation_id":"ID","details":"no/such","reason":"method-not-found"}}\
                  """;
              default ->
                  """
                  200 {"code":-32601,"message":"Method not found",\
                  "data":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo",\
                  "reason":"METHOD_NOT_FOUND","domain":"gatebook",\
                  "metadata":{"correlation_id":"ID","details":"no/such"}}]}\
                  """;
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.2", "1.1", "2.0", "1", "one", "v1", "1.0;x=<y>", "1.0.0.0"})
  void unsupportedVersionIsRefused(String version) throws IOException {
    Exchange exchange = post("/a2a", UNKNOWN_METHOD, version);

    assertThat(exchange.error()).isEqualTo(refusedIn1("a supported version, one of 0.3 1.0"));
    assertThat(exchange.fault())
        .isEqualTo(
            new VersionNotSupported(
                version.matches("[0-9.]{3,5}") ? version : "unknown", List.of("0.3", "1.0")));
  }

  @ParameterizedTest
  @CsvSource({"/a2a/v1,0.3", "/a2a/v1/,''", "/a2a/v1,2.0", "/a2a/v1?A2A-Version=0.3,"})
  void anotherVersionIsRefusedAtV1(String path, @Nullable String version) throws IOException {
    Exchange exchange = post(path, UNKNOWN_METHOD, version);

    assertThat(exchange.error()).isEqualTo(refusedIn1("a supported version, one of 1.0"));
  }

  /** Version 0.3 has no code for it. */
  @ParameterizedTest
  @CsvSource({"/a2a/v0.3,1.0", "/a2a/v0.3/,2.0", "/a2a/v0.3?A2A-Version=1.0,"})
  void anotherVersionIsAnUnsupportedOperationAtV03(String path, @Nullable String version)
      throws IOException {
    Exchange exchange = post(path, UNKNOWN_METHOD, version);

    assertThat(exchange.error())
        .isEqualTo(
            """
            200 {"code":-32004,"message":"This operation is not supported",\
            "data":{"correlation_id":"ID","summary":"Version is not supported",\
            "details":"the protocol version is not supported","reason":"version-not-supported",\
            "cause":"version-not-supported","param":"protocolVersion",\
            "expected":"a supported version","accepted":["0.3"]}}\
            """);
  }

  @ParameterizedTest
  @CsvSource({"/a2a/v2,2", "/a2a/v1.0/,1.0", "/a2a/v3/,3", "/a2a/demo/v2,2"})
  void pathOfAnUnsupportedVersionIsRefused(String path, String requested) throws IOException {
    Exchange exchange = post(path, UNKNOWN_METHOD, "1.0");

    assertThat(exchange.error()).isEqualTo(refusedIn1("a supported version, one of 0.3 1.0"));
    assertThat(exchange.fault())
        .isEqualTo(new VersionNotSupported(requested, List.of("0.3", "1.0")));
  }

  @Test
  void unsupportedVersionIsRefusedBeforeTheMessageIsRead() throws IOException {
    Exchange exchange = post("/a2a", "{\"id\":7,", "2.0");

    assertThat(exchange.error()).isEqualTo(refusedIn1("a supported version, one of 0.3 1.0"));
    assertThat(exchange.answer.body()).contains("\"id\":7,");
    assertThat(exchange.events)
        .singleElement()
        .isInstanceOfSatisfying(
            MessageRefused.class,
            refused ->
                assertThat(refused.fault())
                    .isEqualTo(new VersionNotSupported("2.0", List.of("0.3", "1.0"))));
  }

  /** Whether there is a source of another kind with this id makes no difference. */
  @ParameterizedTest
  @CsvSource({
    "/a2a/nobody,",
    "/a2a/nobody/,",
    "/a2a/demo,",
    "/a2a/demo,1.0",
    "/a2a/demo,0.3",
    "/a2a/nobody/v1,",
    "/a2a/demo/v1/,",
    "/a2a/nobody/v0.3,",
    "/a2a/demo/v0.3/,0.3",
    "/a2a/v1/v1,"
  })
  void unknownAgentIsRefusedAndRecorded(String path, @Nullable String version) throws IOException {
    String agent = path.split("/", -1)[2];

    Exchange exchange = post(path, UNKNOWN_METHOD, version);

    boolean isVapora = version == null && !path.contains("/v");
    assertThat(exchange.error())
        .startsWith(
            isVapora
                ? """
                404 {"code":-32000,"message":"Agent not found",\
                "data":{"correlation_id":"ID","details":"no such agent","reason":"unknown-agent"}}\
                """
                : "200 {\"code\":-32601,\"message\":\"Method not found\",\"data\":");
    assertThat(exchange.fault()).isEqualTo(new UnknownAgent(agent));
    assertThat(((CallReceived) exchange.events.getFirst()).agent()).isEqualTo(agent);
  }

  @ParameterizedTest
  @CsvSource({
    "/a2a,,",
    "/a2a,1.0,1.0",
    "/a2a/v1,,v1",
    "/a2a/v1,1.0,v1",
    "/a2a/v1,0.3,v1-0.3",
    "/a2a/x/v0.3,,v0.3"
  })
  void recordShowsHowTheVersionWasChosen(
      String path, @Nullable String version, @Nullable String recorded) throws IOException {
    Exchange exchange = post(path, UNKNOWN_METHOD, version);

    assertThat(((CallReceived) exchange.events.getFirst()).dialectVersion()).isEqualTo(recorded);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a2a", "/a2a/v1", "/a2a/v0.3", "/a2a/demo/v1"})
  void unknownTokenIsUnauthorized(String path) throws IOException {
    Exchange exchange = post(path, UNKNOWN_METHOD, null, "Authorization: Bearer wrong");

    assertThat(exchange.error()).startsWith("401 {\"code\":-32600,");
    assertThat(exchange.answer.headers()).contains("www-authenticate: bearer");
  }

  @ParameterizedTest
  @CsvSource({"/a2a,-32000", "/a2a/v1,-32603", "/a2a/v0.3,-32603"})
  void tooManyCallsAreToldWhenToRetry(String path, int code) throws IOException {
    Exchange limited;
    do {
      limited = post(path, UNKNOWN_METHOD, null, "Authorization: Bearer " + TOKEN);
    } while (limited.answer.status() != 429);

    assertThat(limited.error()).startsWith("429 {\"code\":%d,".formatted(code));
    assertThat(limited.answer.headers()).contains("retry-after: 1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a2a", "/a2a/v1", "/a2a/v0.3/", "/a2a/demo", "/a2a/demo/v1"})
  void otherHttpMethodsAreNotAllowed(String path) throws IOException {
    assertThat(RawHttp.get(node().at(Port.CALLERS), path).status()).isEqualTo(405);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a2ax", "/a2a/demo/other", "/a2a/demo/v1/more", "/a2a/v1/v1/v1"})
  void otherPathsAreNotFound(String path) throws IOException {
    assertThat(node().post(path, "c", UNKNOWN_METHOD.getBytes(UTF_8)).status()).isEqualTo(404);
  }

  private static String refusedIn1(String expected) {
    return """
    200 {"code":-32009,"message":"Version not supported",\
    "data":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo",\
    "reason":"VERSION_NOT_SUPPORTED","domain":"a2a-protocol.org","metadata":{}},\
    {"@type":"type.googleapis.com/google.rpc.ErrorInfo",\
    "reason":"VERSION_NOT_SUPPORTED","domain":"gatebook","metadata":{"correlation_id":"ID",\
    "summary":"Version is not supported","details":"the protocol version is not supported",\
    "cause":"version-not-supported"}},{"@type":"type.googleapis.com/google.rpc.BadRequest",\
    "fieldViolations":[{"field":"protocolVersion","description":"expected %s"}]}]}\
    """
        .formatted(expected);
  }

  /** A response, and the events that were recorded before it. */
  private record Exchange(String correlationId, Answer answer, List<Event> events) {
    /** The status and the error. */
    String error() throws IOException {
      JsonNode response = JSON.readTree(answer.body());
      assertThat(response.get("jsonrpc").asText()).isEqualTo("2.0");
      return answer.status() + " " + response.get("error").toString().replace(correlationId, "ID");
    }

    Fault fault() {
      return ((ErrorTranslated) events.getLast()).fault();
    }
  }

  private Exchange post(String path, String body, @Nullable String version, String... headers)
      throws IOException {
    String correlationId = "a2a-" + calls.incrementAndGet();
    List<String> all = new ArrayList<>(List.of(headers));
    if (version != null) {
      all.add("A2A-Version: " + version);
    }
    Answer answer =
        node().post(path, correlationId, body.getBytes(UTF_8), all.toArray(String[]::new));
    return new Exchange(correlationId, answer, node().events(correlationId));
  }

  private WatchedNode node() {
    return Objects.requireNonNull(started);
  }
}
