package gatebook.api.node.a2a;

import static gatebook.api.node.NodeCaller.ANN;
import static gatebook.api.node.NodeCaller.JOE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.dialect.ErrorTranslation;
import gatebook.api.dialect.Faults;
import gatebook.api.http.RawHttp.Answer;
import gatebook.api.node.NodeCaller;
import gatebook.api.node.NodeReply;
import gatebook.api.node.ProvokedCall;
import gatebook.api.node.WatchedNode;
import gatebook.command.call.DialectVersion;
import gatebook.events.ApprovalRequested;
import gatebook.events.Event;
import gatebook.events.call.Dialect;
import gatebook.events.call.ErrorResponse;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected.Limit;
import gatebook.events.fault.Misdirected.RateLimited;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ConfigurationError;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

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
  private static final ErrorTranslation TRANSLATION =
      new ErrorTranslation(UnaryOperator.identity());

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

  /** The paths are all where none is named. */
  private static final String ROWS =
      """
      fault                          | provocation                       | paths
      TaskNotFound                   | a task that nobody has            |
      TaskNotFound                   | a task of another caller          |
      TaskNotFound                   | an agent's task of another caller |
      UnknownAgent                   | an agent that nobody has          |
      UnknownSkill                   | skill dance                       |
      InvalidStateTransition         | a message to a task that ended    |
      TaskNotCancelable              | a cancel of a task that ended     |
      UnsupportedOperation           | a stream about a task that ended  |
      ToolNotExposed                 | skill process                     |
      GovernanceRuleDenied           | skill delete_all                  |
      PolicyDenied                   | skill transfer                    |
      ApprovalRejected               | skill deploy, rejected            |
      InternalError                  | a failure inside the server       |
      SerializationError             | unreadable JSON inside the server |
      IoError                        | an unreadable file in the server  |
      ParseError                     | no JSON                           |
      InvalidRequest                 | no JSON-RPC                       |
      MethodNotFound                 | no method                         |
      InvalidParams                  | no params                         |
      Unauthorized                   | an unknown token                  |
      PushNotificationNotSupported   | push                              |
      ContentTypeNotSupported        | a picture                         |
      ExtendedAgentCardNotConfigured | the extended card                 | NONE V03
      UnsupportedOperation           | the extended card                 | V1
      VersionNotSupported            | version 2.0                       | V03 V1
      UpstreamConnectionFailed       | agent gone                        |
      UpstreamTimeout                | agent hang                        |
      InvalidAgentResponse           | agent garbage                     |
      UpstreamError                  | agent status 500                  |
      ServiceUnavailable             | agent status 503                  |
      RateLimited                    | agent status 429                  |
      UpstreamError                  | agent status 404                  |
      UpstreamError                  | agent error -32603                |
      UpstreamError                  | agent error -32000                |
      TaskNotFound                   | agent error -32001 about a task   |
      TaskNotFound                   | agent status 404 about a task     |
      TaskNotCancelable              | agent error -32002 about a task   |
      PushNotificationNotSupported   | agent error -32003                |
      UnsupportedOperation           | agent error -32004                |
      ContentTypeNotSupported        | agent error -32005                |
      ExtendedAgentCardNotConfigured | agent error -32007                |
      ExtensionSupportRequired       | agent error -32008                |
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

    /** The row of the table of the path's version. */
    ErrorResponse row(Fault fault, String correlationId) {
      String version = segment.isEmpty() ? null : segment.substring(1);
      return TRANSLATION.translate(fault, new DialectVersion(Dialect.A2A, version), correlationId);
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
  void errorIsThatOfTheTable(String fault, String provocation, @Nullable String paths)
      throws IOException {
    for (ErrorPath path : ErrorPath.values()) {
      if (paths == null || List.of(paths.split(" ")).contains(path.name())) {
        String id = "error-" + calls.incrementAndGet();
        Answer answer = provoke(provocation, path, id);

        Event last = node().events(id).getLast();
        assertThat(ProvokedCall.fault(last).kind()).isEqualTo(fault);
        expect(ProvokedCall.fault(last), path, id, answer);
        assertThat(ProvokedCall.errorOf(last)).isEqualTo(path.row(ProvokedCall.fault(last), id));
      }
    }
  }

  /** Expects the row that the table of the path's version has for the fault. */
  private static void expect(Fault fault, ErrorPath path, String correlationId, Answer answer)
      throws IOException {
    ErrorResponse row = path.row(fault, correlationId);
    JsonNode response = NodeReply.response(answer.body());
    assertThat(answer.status()).as("%s", response).isEqualTo(row.httpStatus());
    assertThat(response.properties().stream().map(Map.Entry::getKey))
        .containsExactly("jsonrpc", "id", "error");
    assertThat(response.path("error").toString())
        .isEqualTo(
            "{\"code\":%d,\"message\":\"%s\",\"data\":%s}"
                .formatted(row.code(), row.message(), row.data()));
    boolean isEvent = path == ErrorPath.V03 && !answer.body().startsWith("{");
    String type = isEvent ? "text/event-stream" : "application/json";
    assertThat(answer.headers())
        .contains("content-type: " + type, "x-correlation-id: " + correlationId);
    assertThat(answer.body()).doesNotContain(StubAgent.PAGE);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void everyOfficialErrorIsProvoked(ErrorPath path) {
    assertThat(ownCodes(path, fault -> kinds().contains(fault.kind())))
        .isEqualTo(ownCodes(path, _ -> true));
  }

  @Test
  void everyErrorOfTheRequirementIsInTheTable() {
    assertThat(kinds()).containsAll(REQUIRED);
  }

  private static Set<String> kinds() {
    return ROWS.lines().map(line -> line.split("\\|", -1)[0].strip()).collect(toSet());
  }

  /** The codes of the protocol's own errors that some faults have at a path. */
  private static Set<Integer> ownCodes(ErrorPath path, Predicate<Fault> which) {
    return Faults.all().stream()
        .filter(which)
        .map(fault -> path.row(fault, "c").code())
        .filter(code -> code >= -32_009 && code <= -32_001)
        .collect(toSet());
  }

  /** None of these depends on what the caller sends. */
  static List<Fault> faultsOfTheGateway() {
    return List.of(
        new ServiceUnavailable(Cause.SHUTTING_DOWN, null),
        new ConfigurationError("the rules file has mistakes"),
        new RateLimited(Limit.RATE, 1L));
  }

  @ParameterizedTest
  @MethodSource("faultsOfTheGateway")
  void errorOfTheGatewayIsThatOfTheTable(Fault fault, @TempDir Path folder) throws IOException {
    try (WatchedNode unable =
        WatchedNode.startUnderAnyRules(
            folder,
            fault instanceof ConfigurationError ? "sorces: []" : ONE_CALL + NodeCaller.people())) {
      if (fault instanceof ServiceUnavailable) {
        unable.journal().close();
      }
      for (ErrorPath path : ErrorPath.values()) {
        expectUnable(fault, unable, path);
      }
    }
  }

  private void expectUnable(Fault fault, WatchedNode unable, ErrorPath path) throws IOException {
    byte[] body = request(path.wire.send, path.wire.skillMessage("echo", "{}")).getBytes(UTF_8);
    Answer answer;
    String id;
    do { // the first calls are within the limit of calls
      id = "unable-" + calls.incrementAndGet();
      answer = unable.post(path.of(null), id, body, "Authorization: Bearer " + JOE);
    } while (fault instanceof RateLimited && answer.status() == 200);

    expect(fault, path, id, answer);
    assertThat(answer.headers().stream().anyMatch(it -> it.startsWith("retry-after: ")))
        .isEqualTo(!(fault instanceof ConfigurationError));
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
    return raw(path.of(null), id, request(path.wire.get, "{}"), JOE, "X-Test-Failing-Path: " + how);
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
