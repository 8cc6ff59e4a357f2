package gatebook.api.node.a2a;

import static gatebook.api.node.NodeCaller.ANN;
import static gatebook.api.node.NodeCaller.JOE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.http.RawHttp.Answer;
import gatebook.api.node.NodeCaller;
import gatebook.api.node.NodeReply;
import gatebook.api.node.ProvokedCall;
import gatebook.api.node.WatchedNode;
import gatebook.events.ApprovalRequested;
import gatebook.events.Event;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The tables of errors of A2A: each error over HTTP as callers without a version, of 0.3 and of 1.0
 * get it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class A2aErrorTableTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String UNKNOWN_TASK =
      "gb_01a209f98aa27000994d03b8d277c508d563eee9f7c37f1b6b72c1df27c3027e";
  private static final String ARGUMENTS = "{\"to\":\"a\",\"amount\":1,\"version\":\"1\"}";
  private static final String PICTURE_OF_03 =
      "[{\"kind\":\"file\",\"file\":{\"bytes\":\"AA==\",\"mimeType\":\"image/png\"}}]";
  private static final String PICTURE_OF_1 = "[{\"raw\":\"AA==\",\"mediaType\":\"image/png\"}]";
  private static final Set<String> OWN_FAILURES = Set.of("SerializationError", "IoError");

  /**
   * The domain errors of the requirement, by their names here. It has no code for a coordinator
   * that fails, and here is none.
   */
  private static final List<String> REQUIRED =
      List.of(
          "TaskNotFound",
          "UnknownSkill",
          "InvalidStateTransition",
          "SerializationError",
          "IoError",
          "InternalError",
          "ParseError",
          "InvalidRequest");

  private static final String ONE_CALL =
      """
      schema: 1
      sources: [{id: demo, kind: demo}]
      governance: {defaults: {action: forward}}
      limits: {rate_per_second: 1, rate_burst: 1}
      """;

  /** The messages of the codes in 0.3 and 1.0; in 1.0, the reasons of the protocol's own errors. */
  private static final Map<Integer, String> OFFICIAL =
      Map.ofEntries(
          Map.entry(-32_700, "Invalid JSON payload"),
          Map.entry(-32_600, "Request payload validation error"),
          Map.entry(-32_601, "Method not found"),
          Map.entry(-32_602, "Invalid parameters"),
          Map.entry(-32_603, "Internal error"),
          Map.entry(-32_001, "Task not found | TASK_NOT_FOUND"),
          Map.entry(-32_002, "Task cannot be canceled | TASK_NOT_CANCELABLE"),
          Map.entry(
              -32_003, "Push Notification is not supported | PUSH_NOTIFICATION_NOT_SUPPORTED"),
          Map.entry(-32_004, "This operation is not supported | UNSUPPORTED_OPERATION"),
          Map.entry(-32_005, "Incompatible content types | CONTENT_TYPE_NOT_SUPPORTED"),
          Map.entry(-32_006, "Invalid agent response | INVALID_AGENT_RESPONSE"),
          Map.entry(
              -32_007,
              "Authenticated Extended Card is not configured | EXTENDED_AGENT_CARD_NOT_CONFIGURED"),
          Map.entry(-32_008, "Extension support required | EXTENSION_SUPPORT_REQUIRED"),
          Map.entry(-32_009, "Version not supported | VERSION_NOT_SUPPORTED"));

  /** Each row: what a caller gets, as status and code; a dash where a version has another fault. */
  private static final String ROWS =
      """
      fault                          | provocation                       | /a2a       | message at /a2a                             | 0.3        | 1.0
      TaskNotFound                   | a task that nobody has            | 404 -32000 | Task not found                              | 200 -32001 | 200 -32001
      TaskNotFound                   | a task of another caller          | 404 -32000 | Task not found                              | 200 -32001 | 200 -32001
      TaskNotFound                   | an agent's task of another caller | 404 -32000 | Task not found                              | 200 -32001 | 200 -32001
      UnknownAgent                   | an agent that nobody has          | 404 -32000 | Agent not found                             | 200 -32601 | 200 -32601
      UnknownSkill                   | skill dance                       | 400 -32000 | Unknown skill                               | 200 -32602 | 200 -32602
      InvalidStateTransition         | a message to a task that ended    | 400 -32000 | Invalid state transition                    | 200 -32004 | 200 -32004
      TaskNotCancelable              | a cancel of a task that ended     | 400 -32000 | Task cannot be cancelled                    | 200 -32002 | 200 -32002
      UnsupportedOperation           | a stream about a task that ended  | 400 -32000 | Operation is not supported                  | 200 -32004 | 200 -32004
      ToolNotExposed                 | skill process                     | 400 -32000 | Unknown skill                               | 200 -32602 | 200 -32602
      GovernanceRuleDenied           | skill delete_all                  | 403 -32000 | Tool 'delete_all' is denied by governance rules | 200 -32004 | 200 -32004
      PolicyDenied                   | skill transfer                    | 403 -32000 | Policy denied access to tool 'transfer'     | 200 -32004 | 200 -32004
      ApprovalRejected               | skill deploy, rejected            | 403 -32000 | Approval rejected for tool 'deploy'         | 200 -32004 | 200 -32004
      InternalError                  | a failure inside the server       | 500 -32603 | Internal error                              | 200 -32603 | 200 -32603
      SerializationError             | unreadable JSON inside the server | 500 -32603 | Internal error                              | 200 -32603 | 200 -32603
      IoError                        | an unreadable file in the server  | 500 -32603 | Internal error                              | 200 -32603 | 200 -32603
      ParseError                     | no JSON                           | 200 -32700 | Parse error                                 | 200 -32700 | 200 -32700
      InvalidRequest                 | no JSON-RPC                       | 200 -32600 | Invalid Request                             | 200 -32600 | 200 -32600
      MethodNotFound                 | no method                         | 200 -32601 | Method not found                            | 200 -32601 | 200 -32601
      InvalidParams                  | no params                         | 200 -32602 | Invalid params: id: Missing required field, expected string | 200 -32602 | 200 -32602
      Unauthorized                   | an unknown token                  | 401 -32600 | Invalid Request                             | 401 -32600 | 401 -32600
      PushNotificationNotSupported   | push                              | 400 -32000 | Push notifications are not supported        | 200 -32003 | 200 -32003
      ContentTypeNotSupported        | a picture                         | 400 -32000 | Content type is not supported               | 200 -32005 | 200 -32005
      ExtendedAgentCardNotConfigured | the extended card                 | 400 -32000 | There is no extended agent card             | 200 -32007 | -
      UnsupportedOperation           | the extended card                 | -          | -                                           | -          | 200 -32004
      VersionNotSupported            | version 2.0                       | -          | -                                           | 200 -32004 | 200 -32009
      UpstreamConnectionFailed       | agent gone                        | 502 -32000 | Cannot connect to the upstream server       | 200 -32603 | 200 -32603
      UpstreamTimeout                | agent hang                        | 504 -32000 | The upstream server did not answer in time  | 200 -32603 | 200 -32603
      InvalidAgentResponse           | agent garbage                     | 502 -32000 | The upstream server returned an error       | 200 -32006 | 200 -32006
      UpstreamError                  | agent status 500                  | 502 -32000 | The upstream server returned an error       | 200 -32603 | 200 -32603
      ServiceUnavailable             | agent status 503                  | 503 -32000 | Service unavailable                         | 503 -32603 | 503 -32603
      RateLimited                    | agent status 429                  | 429 -32000 | Too many requests                           | 429 -32603 | 429 -32603
      UpstreamError                  | agent status 404                  | 502 -32000 | The upstream server returned an error       | 200 -32603 | 200 -32603
      UpstreamError                  | agent error -32603                | 502 -32000 | The upstream server returned an error       | 200 -32603 | 200 -32603
      UpstreamError                  | agent error -32000                | 502 -32000 | The upstream server returned an error       | 200 -32603 | 200 -32603
      TaskNotFound                   | agent error -32001 about a task   | 404 -32000 | Task not found                              | 200 -32001 | 200 -32001
      TaskNotFound                   | agent status 404 about a task     | 404 -32000 | Task not found                              | 200 -32001 | 200 -32001
      TaskNotCancelable              | agent error -32002 about a task   | 400 -32000 | Task cannot be cancelled                    | 200 -32002 | 200 -32002
      PushNotificationNotSupported   | agent error -32003                | 400 -32000 | Push notifications are not supported        | 200 -32003 | 200 -32003
      UnsupportedOperation           | agent error -32004                | 400 -32000 | Operation is not supported                  | 200 -32004 | 200 -32004
      ContentTypeNotSupported        | agent error -32005                | 400 -32000 | Content type is not supported               | 200 -32005 | 200 -32005
      ExtendedAgentCardNotConfigured | agent error -32007                | 400 -32000 | There is no extended agent card             | 200 -32007 | 200 -32007
      ExtensionSupportRequired       | agent error -32008                | 400 -32000 | Extension is required                       | 200 -32004 | 200 -32008
      """;

  private final StubAgent agentOf03 = new StubAgent(false);
  private final StubAgent agentOf1 = new StubAgent(true);
  private final AtomicInteger calls = new AtomicInteger();
  private @Nullable WatchedNode started;

  /** A path below {@code /a2a}, and what differs in the requests to it. */
  enum ErrorPath {
    NONE("", A2aWireVersion.V03, "new"),
    V03("/v0.3", A2aWireVersion.V03, "new"),
    V1("/v1", A2aWireVersion.V1, "old");

    private final String segment;
    private final A2aWireVersion wire;

    /** An agent that speaks another version than its callers. */
    private final String agent;

    ErrorPath(String segment, A2aWireVersion wire, String agent) {
      this.segment = segment;
      this.wire = wire;
      this.agent = agent;
    }

    /** The path of an agent upstream, or of the built-in one. */
    String of(@Nullable String agentId) {
      return "/a2a" + (agentId == null ? "" : "/" + agentId) + segment;
    }

    /** One of two, that of the path's version. */
    String either(String of03, String of1) {
      return wire == A2aWireVersion.V03 ? of03 : of1;
    }
  }

  @BeforeAll
  void start(@TempDir Path folder) throws IOException {
    Files.writeString(folder.resolve("none.cedar"), "forbid (principal, action, resource);");
    started = WatchedNode.start(folder, rules());
  }

  private String rules() {
    return """
    schema: 1
    sources:
      - {id: demo, kind: demo, expose: {mode: blocklist, tools: [process]}}
      - {id: old, kind: a2a, url: "%s", timeout: 20s}
      - {id: new, kind: a2a, url: "%s", timeout: 20s}
      - {id: hasty, kind: a2a, url: "%s", timeout: 500ms}
      - {id: gone, kind: a2a, url: "http://127.0.0.1:1/agent"}
    governance:
      defaults: {action: forward}
      rules:
        - {match: delete_all, action: deny}
        - {match: transfer, action: policy, policy_id: none}
        - {match: deploy, action: approve, approval: ops}
    cedar: {policies: [none.cedar]}
    approval: {ops: {timeout: 10m}}
    limits: {agent_card_wait_millis_max: 60000}
    """
            .formatted(agentOf03.url(), agentOf1.url(), agentOf1.url())
        + NodeCaller.people();
  }

  @AfterAll
  void stop() throws IOException {
    node().close();
    agentOf03.close();
    agentOf1.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      useHeadersInDisplayName = true,
      textBlock = ROWS)
  void errorIsThatOfTheTable(
      String fault, String provocation, String vapora, String message, String v03, String v1)
      throws IOException {
    atEachPath(vapora, v03, v1, (path, told) -> expect(fault, provocation, path, told, message));
  }

  /** Expects a status and a code at a path. */
  @FunctionalInterface
  private interface PathExpectation {
    void expect(ErrorPath path, String statusAndCode) throws IOException;
  }

  private static void atEachPath(String vapora, String v03, String v1, PathExpectation expectation)
      throws IOException {
    expectation.expect(ErrorPath.NONE, vapora);
    expectation.expect(ErrorPath.V03, v03);
    expectation.expect(ErrorPath.V1, v1);
  }

  private void expect(
      String fault, String provocation, ErrorPath path, String statusAndCode, String message)
      throws IOException {
    if (!statusAndCode.equals("-")) {
      String id = "error-" + calls.incrementAndGet();
      Answer answer = provoke(provocation, path, id);

      // a hidden skill gets the same error as one that does not exist
      String told = fault.equals("ToolNotExposed") ? "UnknownSkill" : fault;
      expect(told, path, statusAndCode, message, id, answer);
      Event last = node().events(id).getLast();
      assertThat(ProvokedCall.fault(last).kind()).isEqualTo(fault);
      assertThat(ProvokedCall.errorOf(last).code())
          .isEqualTo(Integer.parseInt(statusAndCode.substring(4)));
    }
  }

  private static void expect(
      String fault,
      ErrorPath path,
      String statusAndCode,
      String message,
      String correlationId,
      Answer answer)
      throws IOException {
    JsonNode response = NodeReply.response(answer.body());
    JsonNode error = response.path("error");
    int code = error.path("code").asInt();
    assertThat(answer.status() + " " + code).as("%s", response).isEqualTo(statusAndCode);
    assertThat(names(response)).containsExactly("jsonrpc", "id", "error");
    assertThat(names(error)).containsExactly("code", "message", "data");
    assertThat(error.path("message").asText())
        .isEqualTo(path == ErrorPath.NONE ? message : official(fault, code, message));
    boolean isEvent = path == ErrorPath.V03 && !answer.body().startsWith("{");
    String type = isEvent ? "text/event-stream" : "application/json";
    assertThat(answer.headers())
        .contains("content-type: " + type, "x-correlation-id: " + correlationId);
    assertThat(answer.body()).doesNotContain(StubAgent.PAGE);
    JsonNode data = error.path("data");
    switch (path) {
      case NONE -> {
        assertThat(data.path("correlation_id").asText()).isEqualTo(correlationId);
        if (code == -32_000) {
          assertThat(data.path("reason").asText()).isEqualTo(words(fault, "-"));
        }
      }
      case V03 -> {
        assertThat(data.path("correlation_id").asText()).isEqualTo(correlationId);
        assertThat(data.path("reason").asText()).isEqualTo(words(fault, "-"));
      }
      case V1 -> expectDetails(fault, official(code), correlationId, data);
    }
  }

  /** The first detail has the protocol's name of its own error, and one has the fault's. */
  private static void expectDetails(
      String fault, List<String> official, String correlationId, JsonNode data) {
    List<JsonNode> infos =
        StreamSupport.stream(data.spliterator(), false)
            .filter(it -> it.path("@type").asText().endsWith("google.rpc.ErrorInfo"))
            .toList();
    assertThat(infos.getFirst()).isEqualTo(data.path(0));
    assertThat(infos.stream().map(it -> it.path("domain").asText()).toList())
        .isEqualTo(
            official.size() == 2 ? List.of("a2a-protocol.org", "gatebook") : List.of("gatebook"));
    if (official.size() == 2) {
      assertThat(infos.getFirst().path("reason").asText()).isEqualTo(official.getLast());
    }
    assertThat(infos.getLast().path("reason").asText())
        .isEqualTo(words(fault, "_").toUpperCase(Locale.ROOT));
    assertThat(infos.getLast().at("/metadata/correlation_id").asText()).isEqualTo(correlationId);
  }

  /** The message and, for the protocol's own errors, the reason. */
  private static List<String> official(int code) {
    return List.of(Objects.requireNonNull(OFFICIAL.get(code)).split(" \\| ", -1));
  }

  /** The protocol's own message; that about params names the first that does not fit. */
  private static String official(String fault, int code, String vapora) {
    return official(code).getFirst()
        + switch (fault) {
          case "InvalidParams" -> vapora.substring("Invalid params".length());
          case "UnknownSkill" -> ": message.metadata.skillId: no such skill";
          default -> "";
        };
  }

  private static List<String> names(JsonNode object) {
    return object.properties().stream().map(Map.Entry::getKey).toList();
  }

  /** The words of a fault's name in lower case; callers cannot tell the gateway's own apart. */
  private static String words(String fault, String between) {
    String told = OWN_FAILURES.contains(fault) ? "InternalError" : fault;
    return told.replaceAll("(?<=[a-z])(?=[A-Z])", between).toLowerCase(Locale.ROOT);
  }

  @Test
  void everyOfficialErrorIsInTheTable() {
    assertThat(ownCodes(4)).containsExactlyElementsOf(codes(-32_007));
    assertThat(ownCodes(5)).containsExactlyElementsOf(codes(-32_009));
  }

  @Test
  void everyErrorOfTheRequirementIsInTheTable() {
    assertThat(ROWS.lines().map(line -> line.split("\\|", -1)[0].strip())).containsAll(REQUIRED);
  }

  private static List<Integer> codes(int least) {
    return IntStream.rangeClosed(least, -32_001).boxed().toList();
  }

  /** The codes of the protocol's own errors in a column. */
  private static SortedSet<Integer> ownCodes(int column) {
    return ROWS.lines()
        .skip(1)
        .map(line -> line.split("\\|", -1)[column].strip())
        .filter(cell -> cell.contains("-3200"))
        .map(cell -> Integer.valueOf(cell.substring(4)))
        .collect(toCollection(TreeSet::new));
  }

  /** None of these depends on what the caller sends. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      useHeadersInDisplayName = true,
      textBlock =
          """
          fault              | /a2a       | message at /a2a     | 0.3        | 1.0
          ServiceUnavailable | 503 -32000 | Service unavailable | 503 -32603 | 503 -32603
          ConfigurationError | 500 -32000 | Configuration error | 200 -32603 | 200 -32603
          RateLimited        | 429 -32000 | Too many requests   | 429 -32603 | 429 -32603
          """)
  void errorOfTheGatewayIsThatOfTheTable(
      String fault, String vapora, String message, String v03, String v1, @TempDir Path folder)
      throws IOException {
    boolean isConfiguration = fault.equals("ConfigurationError");
    try (WatchedNode unable =
        WatchedNode.startUnderAnyRules(
            folder, isConfiguration ? "sorces: []" : ONE_CALL + NodeCaller.people())) {
      if (fault.equals("ServiceUnavailable")) {
        unable.journal().close();
      }
      atEachPath(vapora, v03, v1, (path, told) -> expectUnable(fault, unable, path, told, message));
    }
  }

  private void expectUnable(
      String fault, WatchedNode unable, ErrorPath path, String statusAndCode, String message)
      throws IOException {
    byte[] body = request(path.wire.send, path.wire.skillMessage("echo", "{}")).getBytes(UTF_8);
    Answer answer;
    String id;
    do { // the first calls are within the limit of calls
      id = "unable-" + calls.incrementAndGet();
      answer = unable.post(path.of(null), id, body, "Authorization: Bearer " + JOE);
    } while (fault.equals("RateLimited") && answer.status() == 200);

    expect(fault, path, statusAndCode, message, id, answer);
    assertThat(answer.headers().stream().anyMatch(it -> it.startsWith("retry-after: ")))
        .isEqualTo(!fault.equals("ConfigurationError"));
  }

  private Answer provoke(String provocation, ErrorPath path, String id) throws IOException {
    A2aWireVersion wire = path.wire;
    return switch (provocation) {
      case "a task that nobody has" -> post(path, null, id, wire.get, byId(UNKNOWN_TASK));
      case "a task of another caller" -> post(path, null, id, wire.get, byId(ended(path)), ANN);
      case "an agent's task of another caller" ->
          post(path, path.agent, id, wire.get, byId(agentsTask(path)), ANN);
      case "an agent that nobody has" -> post(path, "nobody", id, wire.get, byId("task-1"));
      case "a message to a task that ended" ->
          post(path, null, id, wire.send, wire.textMessage("more", ofTask(ended(path))));
      case "a cancel of a task that ended" -> post(path, null, id, wire.cancel, byId(ended(path)));
      case "a stream about a task that ended" ->
          post(path, null, id, wire.subscribe, byId(ended(path)));
      case "a failure inside the server" -> failing(path, id, "yes");
      case "unreadable JSON inside the server" -> failing(path, id, "json");
      case "an unreadable file in the server" -> failing(path, id, "file");
      case "no JSON" -> raw(path.of(null), id, "{\"jsonrpc\":\"2.0\",\"id\":1,", JOE);
      case "no JSON-RPC" -> raw(path.of(null), id, "{\"id\":1,\"method\":\"m\"}", JOE);
      case "no method" -> post(path, null, id, "no/such", "{}");
      case "no params" -> post(path, null, id, wire.get, "{}");
      case "an unknown token" -> post(path, null, id, wire.get, "{}", "nobody-0123456789");
      case "push" ->
          post(
              path,
              null,
              id,
              path.either("tasks/pushNotificationConfig/list", "ListTaskPushNotificationConfigs"),
              "{\"id\":\"t\",\"taskId\":\"t\"}");
      case "a picture" ->
          post(
              path,
              null,
              id,
              wire.send,
              wire.skillMessage("echo", "{}")
                  .replaceFirst("\\[.*]", path.either(PICTURE_OF_03, PICTURE_OF_1)));
      case "the extended card" ->
          post(
              path,
              null,
              id,
              path.either("agent/getAuthenticatedExtendedCard", "GetExtendedAgentCard"),
              "{}");
      case "version 2.0" ->
          raw(path.of(null), id, request(wire.get, "{}"), JOE, "A2A-Version: 2.0");
      case "agent gone" -> post(path, "gone", id, wire.send, wire.textMessage("plan", ""));
      case "agent hang" -> post(path, "hasty", id, wire.send, wire.textMessage("hang", ""));
      case "skill deploy, rejected" -> rejected(path, id);
      case String skill when skill.startsWith("skill ") ->
          post(path, null, id, wire.send, wire.skillMessage(skill.substring(6), ARGUMENTS));
      case String text when text.endsWith(" about a task") ->
          post(
              path,
              path.agent,
              id,
              wire.send,
              wire.textMessage(text.substring(6, text.length() - 13), ofTask(agentsTask(path))));
      case String text when text.startsWith("agent ") ->
          post(path, path.agent, id, wire.send, wire.textMessage(text.substring(6), ""));
      default -> throw new AssertionError(provocation);
    };
  }

  private Answer failing(ErrorPath path, String id, String how) throws IOException {
    return raw(
        path.of(null), id, request(path.wire.get, "{}"), JOE, "X-Test-Failing-Filter: " + how);
  }

  private Answer rejected(ErrorPath path, String id) throws IOException {
    CompletableFuture<Answer> answer =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return post(
                    path, null, id, path.wire.send, path.wire.skillMessage("deploy", ARGUMENTS));
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            },
            task -> Thread.ofVirtual().start(task));
    await().until(() -> node().events(id).stream().anyMatch(ApprovalRequested.class::isInstance));
    node().decide(id, false, "no");
    return answer.join();
  }

  /** A task of joe that has ended. */
  private String ended(ErrorPath path) throws IOException {
    return task(path, null, path.wire.skillMessage("echo", "{}"));
  }

  /** A task of joe at an agent upstream. */
  private String agentsTask(ErrorPath path) throws IOException {
    return task(path, path.agent, path.wire.textMessage("plan", ""));
  }

  private String task(ErrorPath path, @Nullable String agent, String params) throws IOException {
    Answer answer = post(path, agent, "task-" + calls.incrementAndGet(), path.wire.send, params);
    return path.wire.task(JSON.readTree(answer.body()).path("result")).path("id").asText();
  }

  private static String byId(String id) {
    return "{\"id\":\"%s\"}".formatted(id);
  }

  private static String ofTask(String id) {
    return ",\"taskId\":\"%s\"".formatted(id);
  }

  private Answer post(
      ErrorPath path, @Nullable String agent, String id, String method, String params)
      throws IOException {
    return post(path, agent, id, method, params, JOE);
  }

  private Answer post(
      ErrorPath path, @Nullable String agent, String id, String method, String params, String token)
      throws IOException {
    String own = params.replace("\"m1\"", "\"%s\"".formatted(id)); // each message is another
    return raw(path.of(agent), id, request(method, own), token);
  }

  private static String request(String method, String params) {
    return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}"
        .formatted(method, params);
  }

  private Answer raw(String path, String id, String body, String token, String... headers)
      throws IOException {
    return node()
        .post(
            path,
            id,
            body.getBytes(UTF_8),
            Stream.concat(Stream.of("Authorization: Bearer " + token), Stream.of(headers))
                .toArray(String[]::new));
  }

  private WatchedNode node() {
    return Objects.requireNonNull(started);
  }
}
