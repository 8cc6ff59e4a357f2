package gatebook.api.node.operator;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.http.ListenAddress;
import gatebook.api.http.Port;
import gatebook.api.http.RawHttp;
import gatebook.api.http.RawHttp.Answer;
import gatebook.api.node.NodeCaller;
import gatebook.api.node.TestNodes;
import gatebook.api.node.WatchedNode;
import gatebook.events.Proof;
import gatebook.events.journal.Journal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Hostile requests to the operator port, with a token and without one. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class HostileOperatorTest {

  private static final long SEED = 20_260_102;
  private static final int RANDOM_PER_METHOD = Proof.LONG ? 250 : 25;

  /** For unknown names, and those of params that a method before has. */
  private static final int VALUES_PER_OTHER_NAME = Proof.LONG ? Integer.MAX_VALUE : 2;

  private static final String CONTENT_TYPE = "Content-Type: application/json";
  private static final String ALICE = "Authorization: Bearer " + NodeCaller.ALICE;
  private static final String OPERATOR_ACTED = "gatebook.OperatorActed";

  /** Part of every text that is sent; no answer may contain it. */
  private static final String MARK = "x9q7Zk";

  /** Names that no method has; the value is not looked at. */
  private static final List<String> UNKNOWN_NAMES =
      List.of("no_such", "", "\\u0000", "constructor");

  private static final JsonMapper STRICT =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build();

  /** The form of an error message: one sentence in lower case, no final stop, no internals. */
  private static final Pattern SENTENCE = Pattern.compile("[a-z][ -~]{8,250}[^. ]");

  private static final Pattern INTERNALS =
      Pattern.compile(
          "(?i)exception|throwable|\\bat [a-z]+\\.|\\.java|jackson|gatebook\\.|jdbc|h2|select"
              + " |insert |delete |\\bnull\\b|0x[0-9a-f]|@[0-9a-f]{6}");

  /** Values that no param accepts, or that are valid only by their type. */
  private static final List<String> VALUES =
      List.of(
          "null",
          "true",
          "false",
          "-1",
          "1.5",
          "-0",
          "1e400",
          "-1e-400",
          "9".repeat(1_001),
          "9223372036854775808",
          "18446744073709551616",
          "{}",
          "[]",
          "[[]]",
          "[null]",
          "\"\"",
          "\" \"",
          "\"\\u0000\"",
          "\"" + MARK + "\\u001b[31m\\r\\nSet-Cookie: a=b\"",
          "\"" + MARK + "' OR '1'='1\"",
          "\"'; DROP TABLE " + MARK + "; --\"",
          "\"../../../../etc/" + MARK + "\"",
          "\"${jndi:ldap://" + MARK + "/a}\"",
          "\"%s%n%x" + MARK + "\"",
          "\"<script>" + MARK + "</script>\"",
          "\"\\u202e" + MARK + "\"",
          "\"\\ud83d\\ude00" + MARK + "\"",
          "{\"$ne\":\"" + MARK + "\"}",
          """
          {"__proto__":{"admin":true}}\
          """,
          "[\"" + MARK + "\",\"" + MARK + "\"]",
          "\"" + MARK.repeat(400) + "\"",
          "\"" + MARK.repeat(10_000) + "\"",
          nested(200),
          "[" + "1,".repeat(9_999) + "1]",
          "\"00000000-0000-0000-0000-000000000000\"",
          "\"ffffffffffffffffffffffffffffffff\"");

  /** Ids, and the id of the response. */
  private static final List<List<String>> IDS =
      List.of(
          List.of("1", "1"),
          List.of("-0", "-0"),
          List.of("123456789012345678901234567890", "123456789012345678901234567890"),
          List.of("\"\"", "\"\""),
          List.of("\"\\u0000\\ud83d\\ude00\"", "\"\\u0000\\ud83d\\ude00\""),
          List.of("null", "null"),
          List.of("1.5", "null"),
          List.of("true", "null"),
          List.of("{}", "null"),
          List.of("[1]", "null"));

  @RegisterExtension static final TestNodes NODES = new TestNodes();

  private @Nullable WatchedNode started;
  private @Nullable CompletableFuture<Answer> held;

  @BeforeAll
  void start() throws IOException {
    WatchedNode node =
        NODES.shared(
            """
            schema: 1
            sources: [{id: demo, kind: demo}]
            governance:
              defaults: {action: forward}
              rules: [{match: "deploy", action: approve, approval: ops}]
            approval: {ops: {timeout: 1h, on_timeout: deny}}
            operators:
              - {name: alice, token_hash: "%s", roles: [view, arguments, approve, admin]}
            """
                .formatted(WatchedNode.hash(NodeCaller.ALICE)));
    started = node;
    held = node.hold("waits", WatchedNode.toolCall("deploy"));
  }

  @AfterAll
  void stop() throws IOException {
    node().decide("waits", false, "the end");
    assertThat(Objects.requireNonNull(held).join().body()).contains("-32007");
  }

  @Test
  void everyMethodAnswersEverythingOnceClearlyAndChangesNothing() throws IOException {
    String before = views();
    List<String> recorded = recorded();
    Random random = new Random(SEED);

    Set<JsonNode> seen = new HashSet<>();
    for (JsonNode method : result("rpc.discover", "{}").path("methods")) {
      for (String params : hostileParams(method, seen, random)) {
        answersOnce(message("1", method.path("name").asText(), params), "1");
      }
    }

    assertThat(recorded()).isEqualTo(recorded);
    assertThat(views()).isEqualTo(before);
    assertThat(node().lines()).noneMatch(line -> line.contains("\"level\":\"error\""));
  }

  /** A number that is cut to 32 bits is that of an event which exists. They wait together. */
  @Test
  void noPositionBeyondTheHeadIsThatOfAnEvent() throws Exception {
    List<Callable<JsonNode>> requests = new ArrayList<>();
    for (JsonNode method : result("rpc.discover", "{}").path("methods")) {
      List<String> names = method.path("params").findValuesAsText("name");
      String projection = names.contains("projection") ? "\"projection\":\"calls\"," : "";
      for (String name : names) {
        for (long position :
            List.of((1L << 32) + 1, (1L << 33) + 5, 1L << 40, Long.MAX_VALUE - 1, Long.MAX_VALUE)) {
          String params = "{%s\"%s\":%d}".formatted(projection, name, position);
          requests.add(() -> answersOnce(message("1", method.path("name").asText(), params), "1"));
        }
      }
    }
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<JsonNode> answer : threads.invokeAll(requests)) {
        assertThat(answer.get().toString()).doesNotContain("leafHash");
      }
    }
  }

  @Test
  void everyIdIsReturnedUnchangedOrAsNull() throws IOException {
    for (List<String> id : IDS) {
      answersOnce(message(id.getFirst(), "audit.projections", "{}"), id.getLast());
      answersOnce(message(id.getFirst(), "audit." + MARK, "{}"), id.getLast());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      textBlock =
          """
          ''                                                                          | null
          {                                                                           | null
          nul                                                                         | null
          "text"                                                                      | null
          []                                                                          | null
          [{"jsonrpc":"2.0","id":1,"method":"audit.projections"}]                     | null
          {"jsonrpc":"2.0","id":1,"id":2,"method":"audit.projections"}                | null
          {"jsonrpc":"2.0","id":1,"method":"rpc.discover","method":"audit.verify"}    | 1
          {"jsonrpc":"2.0","id":1,"method":"audit.lookup","params":{"id":"a","id":"b"}} | 1
          {"jsonrpc":"1.0","id":1,"method":"audit.projections"}                       | 1
          {"id":1,"method":"audit.projections"}                                       | 1
          {"jsonrpc":"2.0","id":1,"method":7}                                         | 1
          {"jsonrpc":"2.0","id":1,"method":"audit.projections","params":7}            | 1
          {"jsonrpc":"2.0","id":1,"method":"audit.projections"} {}                    | 1
          {"jsonrpc":"2.0","id":1,"method":"AUDIT.PROJECTIONS"}                       | 1
          {"jsonrpc":"2.0","id":1,"method":"audit.projections\\u0000"}                | 1
          {"jsonrpc":"2.0","id":1,"method":"operator.getClass"}                       | 1
          {"jsonrpc":"2.0","id":1,"method":""}                                        | 1
          """)
  void whatIsNoQuestionIsToldSo(String body, String id) throws IOException {
    assertThat(answersOnce("''".equals(body) ? "" : body, id).has("error")).isTrue();
  }

  @Test
  void paramsThatAreNullCountAsAbsent() throws IOException {
    assertThat(result("rules.show", "null")).isEqualTo(result("rules.show", "{}")).isNotEmpty();
  }

  @Test
  void tooDeepOrTooLongBodiesAreRefused() throws IOException {
    String long300KiB =
        message("1", "audit.lookup", "{\"id\":\"" + "a".repeat(300 * 1_024) + "\"}");

    assertThat(
            answersOnce(message("1", "audit.lookup", "{\"id\":" + nested(300) + "}"), "1")
                .toString())
        .contains("-32600");
    assertThat(answersOnce(nested(100_000), "null").toString()).contains("-32600");
    assertThat(answersOnce(long300KiB, "null").toString()).contains("262144 bytes");
  }

  @Test
  void notificationIsAcceptedWithoutEffect() throws IOException {
    List<String> recorded = recorded();

    for (String method : List.of("approvals.approve", "audit.verify", MARK)) {
      Answer answer =
          operator(
              """
              {"jsonrpc":"2.0","method":"%s","params":{}}\
              """
                  .formatted(method));
      assertThat(answer.status()).isEqualTo(202);
      assertThat(answer.body()).isEmpty();
    }
    assertThat(recorded()).isEqualTo(recorded);
  }

  static List<String> ways() {
    List<String> ways = new ArrayList<>();
    for (String method :
        List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")) {
      for (String path :
          List.of(
              "/operator",
              "/operator/",
              "/operator?a=b",
              "/operator/tail",
              "/operator/x/y",
              "/operator/rpc.discover")) {
        ways.add(method + " " + path);
      }
    }
    return ways;
  }

  @Test
  void unknownTokenLearnsNothingOnAnyPath() throws IOException {
    for (String way : ways()) {
      for (String shown :
          List.of(
              "X-None: 1",
              "Authorization: Bearer " + MARK,
              "Authorization: Basic YTpi",
              cookie("X-Gatebook-Console: 1"))) {
        Answer answer = request(way, shown);

        assertThat(answer.status()).as(way).isEqualTo(401);
        assertThat(answer.body())
            .matches(
                way.startsWith("HEAD")
                    ? ""
                    : """
                    \\{"error":"unauthorized","correlation_id":"[0-9a-f-]{36}"}\
                    """);
        assertThat(answer.headers().stream().map(header -> header.replaceFirst(":.*", "")))
            .isSubsetOf(
                "x-correlation-id",
                "www-authenticate",
                "content-type",
                "content-length",
                "date",
                "connection");
      }
    }
  }

  @Test
  void cookieWithoutTheHeaderLearnsNothingOnAnyPath() throws IOException {
    for (String way : ways()) {
      Answer answer = request(way, cookie("X-None: 1"));

      assertThat(answer.status()).as(way).isEqualTo(403);
      assertThat(answer.body())
          .matches(
              way.startsWith("HEAD")
                  ? ""
                  : """
                  \\{"error":"a request of the console has the header X-Gatebook-Console: 1",\
                  "correlation_id":"[0-9a-f-]{36}"}\
                  """);
    }
  }

  private String cookie(String header) {
    return "Cookie: gatebook_session=%s\r\nOrigin: http://localhost:%d\r\n%s"
        .formatted(MARK, node().at(Port.ADMIN).port(), header);
  }

  @Test
  void knownTokenGetsPreciseHttpErrors() throws IOException {
    expectHttpError(request("GET /operator", ALICE), 405, "method not allowed");
    expectHttpError(request("POST /operator/x/y", ALICE), 404, "not found");
  }

  private static void expectHttpError(Answer answer, int status, String error) throws IOException {
    String correlationId = STRICT.readTree(answer.body()).path("correlation_id").asText();

    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.body())
        .isEqualTo(
            """
            {"error":"%s","correlation_id":"%s"}\
            """
                .formatted(error, correlationId));
    assertThat(answer.headers()).contains("x-correlation-id: " + correlationId);
  }

  @Test
  void otherSpellingsOfThePathAreNotFound() throws IOException {
    for (String path :
        List.of(
            "//operator",
            "/./operator",
            "/x/../operator",
            "/%6fperator",
            "/OPERATOR",
            "/operator;a=b",
            "/operator%2f")) {
      assertThat(request("POST " + path, "X-None: 1").status()).as(path).isIn(400, 401, 404);
    }
  }

  private Answer request(String way, String header) throws IOException {
    ListenAddress at = node().at(Port.ADMIN);
    String[] parts = way.split(" ", 2);
    return RawHttp.request(
        at, parts[0], parts[1], "Host: localhost:" + at.port(), "Content-Length: 0", header);
  }

  /**
   * Params for a method.
   *
   * @param seen the params of the methods before; one of the same name and schema is read alike
   */
  private static List<String> hostileParams(JsonNode method, Set<JsonNode> seen, Random random) {
    List<String> names = new ArrayList<>(UNKNOWN_NAMES);
    Set<String> fresh = new HashSet<>();
    for (JsonNode param : method.path("params")) {
      String name = param.path("name").asText();
      names.add(name);
      if (seen.add(((ObjectNode) param.deepCopy()).retain("name", "schema"))) {
        fresh.add(name);
      }
    }
    List<String> params =
        new ArrayList<>(List.of("null", "[]", "[1]", "{}", nested(100), "[" + nested(100) + "]"));
    for (String name : names) {
      List<String> values = new ArrayList<>(VALUES);
      Collections.shuffle(values, random);
      values.stream()
          .limit(fresh.contains(name) ? values.size() : VALUES_PER_OTHER_NAME)
          .forEach(value -> params.add("{\"%s\":%s}".formatted(name, value)));
    }
    for (int i = 0; i < RANDOM_PER_METHOD; i++) {
      params.add(some(names, random));
    }
    return params;
  }

  /** Random members with random values; sometimes one twice. */
  private static String some(List<String> names, Random random) {
    return "{%s}"
        .formatted(
            random
                .ints(1 + random.nextInt(3), 0, names.size())
                .mapToObj(i ->
                    "\"%s\":%s".formatted(names.get(i), VALUES.get(random.nextInt(VALUES.size()))))
                .collect(joining(",")));
  }

  private static String nested(int depth) {
    return "[".repeat(depth) + "]".repeat(depth);
  }

  private static String message(String id, String method, String params) {
    return """
    {"jsonrpc":"2.0","id":%s,"method":"%s","params":%s}\
    """
        .formatted(id, method, params);
  }

  /** The only response: valid JSON-RPC that contains nothing sent and no internals. */
  private JsonNode answersOnce(String body, String id) throws IOException {
    Answer answer = operator(body);
    String about = body.length() > 300 ? body.substring(0, 300) : body;
    assertThat(answer.status()).as(about).isEqualTo(200);
    assertThat(answer.headers()).contains("content-type: application/json");
    assertThat(answer.body())
        .as(about)
        .startsWith(
            """
            {"jsonrpc":"2.0","id":\
            """
                + id
                + ",");
    JsonNode json = STRICT.readTree(answer.body());
    assertThat(json.size()).isEqualTo(3);
    assertThat(json.has("error")).as(about).isNotEqualTo(json.has("result"));
    assertThat(answer.body()).as(about).doesNotContain(MARK);
    if (json.has("error")) {
      assertThat(json.path("error").path("code").isInt()).isTrue();
      assertThat(json.path("error").path("code").asInt()).as(about).isNotEqualTo(-32_603);
      assertThat(json.path("error").path("message").asText()).as(about).matches(SENTENCE);
      assertThat(json.path("error").toString()).as(about).doesNotContainPattern(INTERNALS);
      assertThat(answer.headers())
          .as(about)
          .contains("x-correlation-id: " + json.at("/error/data/correlation_id").asText());
    }
    return json;
  }

  /** The content of all views, without their positions. */
  private String views() throws IOException {
    return result("audit.lookup", "{\"id\":\"waits\"}") + " " + result("approvals.list", "{}");
  }

  private JsonNode result(String method, String params) throws IOException {
    return STRICT.readTree(operator(message("1", method, params)).body()).path("result");
  }

  /** The events in the journal, except operators' acts. */
  private List<String> recorded() {
    Journal journal = node().journal();
    List<String> recorded = new ArrayList<>();
    for (long from = 0; from < journal.head(); from += 1_000) {
      journal.read(from, 1_000).stream()
          .filter(entry -> !entry.name().equals(OPERATOR_ACTED))
          .forEach(entry -> recorded.add(entry.position() + " " + entry.name()));
    }
    return recorded;
  }

  private Answer operator(String body) throws IOException {
    return node().send(Port.ADMIN, "/operator", body.getBytes(UTF_8), CONTENT_TYPE, ALICE);
  }

  private WatchedNode node() {
    return Objects.requireNonNull(started);
  }
}
