package gatebook.api.node.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.http.RawHttp;
import gatebook.api.node.WatchedNode;
import gatebook.api.node.a2a.A2aWireVersion;
import gatebook.api.node.a2a.StubAgent;
import gatebook.events.AgentTaskCreated;
import gatebook.events.ApprovalRequested;
import gatebook.events.CallForwarded;
import gatebook.events.CallReceived;
import gatebook.events.ErrorTranslated;
import gatebook.events.fault.Category;
import gatebook.events.fault.Fault;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import gatebook.events.fault.TaskFault.TaskNotFound;
import gatebook.events.fault.UpstreamFault.InvalidAgentResponse;
import gatebook.events.fault.UpstreamFault.UpstreamError;
import gatebook.events.fault.UpstreamFault.UpstreamTimeout;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Agents upstream over HTTP: what they get of callers in either version, and what callers get. */
final class AgentUpstreamOverHttpTest {
  private static final JsonMapper JSON = new JsonMapper();

  @RegisterExtension static final TestAgents AGENTS = new TestAgents();

  private final AtomicInteger calls = new AtomicInteger();
  private @Nullable AgentBehindNode started;

  private record Exchange(String correlationId, JsonNode response) {
    JsonNode result() {
      assertThat(response.path("error").isMissingNode()).as("%s", response).isTrue();
      return response.path("result");
    }

    String error() {
      JsonNode error = response.path("error");
      return error.path("code").asInt() + " " + error.path("message").asText();
    }
  }

  private void start(A2aWireVersion spoken) throws IOException {
    started = AGENTS.shared(spoken, "timeout: 1500ms", AgentBehindNode.LIMITS);
  }

  /** The id of the message that the agent got. */
  static String messageId(JsonNode request) {
    return request.at("/params/message/messageId").asText();
  }

  @ParameterizedTest
  @CsvSource({"V03,V03", "V03,V1", "V1,V03", "V1,V1"})
  void messageReachesTheAgentInItsVersion(A2aWireVersion caller, A2aWireVersion spoken)
      throws IOException {
    start(spoken);

    Exchange sent = send(caller, "plan", "", AgentBehindNode.JOE);

    JsonNode task = caller.task(sent.result());
    assertThat(task.path("id").asText()).isEqualTo(agent().task(1));
    assertThat(task.path("contextId").asText()).isEqualTo(agent().context(1));
    assertThat(task.at("/status/state").asText()).isEqualTo(caller.state("completed"));
    assertThat(task.path("kind").asText()).isEqualTo(caller == A2aWireVersion.V1 ? "" : "task");
    assertThat(task.at("/artifacts/0/parts"))
        .isEqualTo(
            JSON.readTree(
                caller == A2aWireVersion.V1
                    ? """
                    [{"text":"done"},{"data":%s},\
                    {"url":"http://f","filename":"f.txt","mediaType":"text/plain"}]\
                    """
                        .formatted(
                            spoken == A2aWireVersion.V1 ? "[1,2.50]" : "{\"value\":[1,2.50]}")
                    : """
                    [{"kind":"text","text":"done"},{"kind":"data","data":{"value":[1,2.50]}},\
                    {"kind":"file",\
                    "file":{"uri":"http://f","name":"f.txt","mimeType":"text/plain"}}]\
                    """));
    JsonNode got = agent().requests.getFirst();
    assertThat(got.path("method").asText()).isEqualTo(spoken.send);
    assertThat(agent().versions).containsExactly(spoken.text);
    assertThat(got.at("/params/message"))
        .isEqualTo(JSON.readTree(spoken.textMessage(messageId(got), "plan", "")).path("message"));
    assertThat(names(sent))
        .containsExactly(
            "CallReceived", "CallAdmitted", "CallForwarded", "AgentTaskCreated", "CallAnswered");
    CallReceived received = (CallReceived) node().events(sent.correlationId).getFirst();
    assertThat(received.source()).isEqualTo("planner");
    assertThat(received.target()).isEqualTo("planner/SendMessage");
    AgentTaskCreated created = (AgentTaskCreated) node().events(sent.correlationId).get(3);
    assertThat(created)
        .isEqualTo(
            new AgentTaskCreated(
                received.callId(),
                "planner",
                "joe",
                agent().task(1),
                agent().context(1),
                created.createdAt(),
                created.message()));
  }

  @ParameterizedTest
  @CsvSource({"V03,V03", "V03,V1", "V1,V03", "V1,V1"})
  void onlyTheTraceAndExtensionsOfACallerReachTheAgent(A2aWireVersion caller, A2aWireVersion spoken)
      throws IOException {
    start(spoken);
    String prefix = caller == A2aWireVersion.V03 ? "X-" : "";

    RawHttp.Answer answer =
        node()
            .post(
                "/a2a/planner/" + caller.segment,
                "headers-1",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}"
                    .formatted(caller.send, caller.textMessage("plan", ""))
                    .getBytes(UTF_8),
                "Authorization: Bearer " + AgentBehindNode.JOE,
                "Cookie: session=secret",
                "X-Api-Key: secret",
                "User-Agent: secret",
                "Mcp-Session-Id: secret",
                "tracestate: a=1",
                "traceparent: 00-0123456789abcdef0123456789abcdef-0123456789abcdef-01",
                prefix + "A2A-Extensions: https://example.com/one, https://example.com/two",
                (caller == A2aWireVersion.V03 ? "" : "X-")
                    + "A2A-Extensions: https://example.com/two,https://example.com/three");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(agent().headers).hasSize(1);
    assertThat(agent().headers.getFirst())
        .filteredOn(line -> !line.toLowerCase(Locale.ROOT).startsWith("content-length: "))
        .containsExactlyInAnyOrder(
            "host: " + URI.create(agent().url()).getAuthority(),
            "accept-encoding: identity",
            "content-type: application/json",
            "accept: application/json",
            "A2A-Version: " + spoken.text,
            "traceparent: 00-0123456789abcdef0123456789abcdef-0123456789abcdef-01",
            "tracestate: a=1",
            (spoken == A2aWireVersion.V03 ? "X-" : "")
                + "A2A-Extensions: "
                + (caller == A2aWireVersion.V03
                    ? "https://example.com/two, https://example.com/three, https://example.com/one"
                    : "https://example.com/one, https://example.com/two,"
                        + " https://example.com/three"));
  }

  @ParameterizedTest
  @CsvSource({"V03,application/json", "V1,application/json", "V03,text/event-stream"})
  void extensionsOfAnAnswerReachTheCaller(A2aWireVersion caller, String contentType)
      throws Exception {
    start(A2aWireVersion.V1);
    String message = "{\"message\":{\"messageId\":\"m9\",\"role\":\"ROLE_AGENT\",\"parts\":[]}}";
    agent().answerScript =
        stream ->
            stream.raw(
                """
                HTTP/1.1 200 OK\r
                Content-Type: %s\r
                A2A-Extensions: https://example.com/one\r
                Connection: close\r
                \r
                %s{"jsonrpc":"2.0","id":1,"result":%s}

                """
                    .formatted(
                        contentType, contentType.startsWith("text") ? "data: " : "", message));

    HttpResponse<InputStream> response =
        started()
            .post(
                caller,
                contentType.startsWith("text") ? caller.stream : caller.send,
                caller.textMessage("script", ""),
                AgentBehindNode.JOE,
                "extensions");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(
            response
                .headers()
                .allValues(caller == A2aWireVersion.V03 ? "X-A2A-Extensions" : "A2A-Extensions"))
        .containsExactly("https://example.com/one");
  }

  @ParameterizedTest
  @CsvSource({"V03,V03", "V03,V1", "V1,V03", "V1,V1"})
  void ownerReadsAndCancelsItsTask(A2aWireVersion caller, A2aWireVersion spoken)
      throws IOException {
    start(spoken);
    send(caller, "plan", "", AgentBehindNode.JOE).result();

    Exchange got = post(caller, caller.get, task1(), AgentBehindNode.JOE);
    Exchange cancelled = post(caller, caller.cancel, task1(), AgentBehindNode.JOE);

    assertThat(got.result().at("/status/state").asText()).isEqualTo(caller.state("completed"));
    assertThat(cancelled.result().at("/status/state").asText()).isEqualTo(caller.state("canceled"));
    assertThat(names(got))
        .containsExactly("CallReceived", "CallAdmitted", "CallForwarded", "CallAnswered");
    assertThat(agent().requests.stream().map(it -> it.path("method").asText()))
        .containsExactly(spoken.send, spoken.get, spoken.cancel);
  }

  @ParameterizedTest
  @CsvSource({"V03", "V1"})
  void tasksOfOthersAreNotFound(A2aWireVersion version) throws IOException {
    start(version);
    send(version, "plan", "", AgentBehindNode.JOE).result();
    send(
            version,
            "plan",
            ",\"taskId\":\"%s\",\"contextId\":\"%s\""
                .formatted(agent().task(1), agent().context(1)),
            AgentBehindNode.JOE)
        .result();
    int requests = agent().requests.size();

    for (String id : List.of(agent().task(1), "task-none")) {
      for (Exchange exchange :
          List.of(
              post(version, version.get, "{\"id\":\"%s\"}".formatted(id), AgentBehindNode.ANN),
              post(version, version.cancel, "{\"id\":\"%s\"}".formatted(id), AgentBehindNode.ANN),
              send(version, "plan", ",\"taskId\":\"%s\"".formatted(id), AgentBehindNode.ANN))) {
        assertThat(exchange.error()).isEqualTo("-32001 Task not found");
        assertThat(fault(exchange)).isEqualTo(new TaskNotFound(id));
        assertThat(names(exchange)).containsExactly("CallReceived", "ErrorTranslated");
      }
    }
    assertThat(
            send(
                    version,
                    "plan",
                    ",\"contextId\":\"%s\"".formatted(agent().context(1)),
                    AgentBehindNode.ANN)
                .error())
        .isEqualTo("-32001 Task not found");
    assertThat(agent().requests).hasSize(requests);
  }

  @ParameterizedTest
  @CsvSource({"V03", "V1"})
  void contextThatACallerBeginsIsItsOwn(A2aWireVersion version) throws IOException {
    start(version);
    String mine = ",\"contextId\":\"mine\"";

    Exchange begun = send(version, "plan", mine, AgentBehindNode.JOE);
    Exchange foreign = send(version, "plan", mine, AgentBehindNode.ANN);

    assertThat(begun.result().findValue("id").asText()).isEqualTo(agent().task(1));
    assertThat(names(begun))
        .containsExactly(
            "CallReceived",
            "CallAdmitted",
            "CallForwarded",
            "AgentTaskCreated",
            "AgentTaskCreated",
            "CallAnswered");
    assertThat(((AgentTaskCreated) node().events(begun.correlationId).get(3)))
        .extracting(AgentTaskCreated::principal, AgentTaskCreated::contextId)
        .containsExactly("joe", "mine");
    assertThat(foreign.error()).isEqualTo("-32001 Task not found");
    assertThat(send(version, "plan", mine, AgentBehindNode.JOE).response.has("result")).isTrue();
    assertThat(agent().requests.stream().map(it -> it.at("/params/message/contextId").asText()))
        .containsExactly("mine", "mine");
  }

  /** Both pass the check before either is recorded. */
  @Test
  void contextThatTwoCallersBeginIsThatOfTheFirst() throws IOException {
    start(A2aWireVersion.V1);
    String mine = ",\"contextId\":\"anybodys\"";

    List<Exchange> both =
        Stream.of(AgentBehindNode.JOE, AgentBehindNode.ANN)
            .map(token ->
                CompletableFuture.supplyAsync(
                    () -> {
                      try {
                        return send(A2aWireVersion.V1, "plan", mine, token);
                      } catch (IOException e) {
                        throw new UncheckedIOException(e);
                      }
                    },
                    task -> Thread.ofVirtual().start(task)))
            .toList()
            .stream()
            .map(CompletableFuture::join)
            .toList();

    assertThat(both.stream().filter(it -> it.response.has("result"))).hasSize(1);
    assertThat(both.stream().filter(it -> it.response.has("error")).map(Exchange::error))
        .containsExactly("-32001 Task not found");
    assertThat(agent().requests).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"V03", "V1"})
  void credentialIsNoIdOfAContext(A2aWireVersion version) throws IOException {
    start(version);
    String secret = "ghp_" + "a1B2".repeat(9);

    Exchange sent =
        send(version, "plan", ",\"contextId\":\"%s\"".formatted(secret), AgentBehindNode.JOE);

    assertThat(sent.error())
        .isEqualTo(
            "-32602 Invalid parameters: message.contextId:"
                + " expected an id without a credential in it");
    assertThat(String.join("", node().stored())).doesNotContain(secret);
    assertThat(agent().requests).isEmpty();
  }

  @Test
  void listHasOnlyTheCallersTasks() throws IOException {
    started = AGENTS.own(A2aWireVersion.V1);
    send(A2aWireVersion.V1, "plan", "", AgentBehindNode.JOE).result();
    send(A2aWireVersion.V1, "plan", "", AgentBehindNode.ANN).result();

    JsonNode page = post(A2aWireVersion.V1, "ListTasks", "{}", AgentBehindNode.ANN).result();

    assertThat(page.path("tasks").findValuesAsText("id")).containsExactly(agent().task(2));
    assertThat(page.path("totalSize").asInt()).isEqualTo(1);
  }

  @Test
  void agentOf03ListsNoTasks() throws IOException {
    start(A2aWireVersion.V03);

    assertThat(post(A2aWireVersion.V1, "ListTasks", "{}", AgentBehindNode.ANN).error())
        .startsWith("-32004 ");
    assertThat(agent().requests).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"V03", "V1"})
  void deniedSkillIsNotForwarded(A2aWireVersion version) throws IOException {
    start(version);

    Exchange denied =
        send(version, "plan", ",\"metadata\":{\"skillId\":\"secret\"}", AgentBehindNode.JOE);

    assertThat(denied.error()).startsWith("-32004 ");
    assertThat(names(denied)).containsExactly("CallReceived", "GateDenied", "ErrorTranslated");
    assertThat(agent().requests).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"V03", "V1"})
  void heldMessageIsForwardedWhenItIsApproved(A2aWireVersion version) throws IOException {
    start(version);
    String correlationId = "held-1";
    CompletableFuture<Exchange> held =
        CompletableFuture.supplyAsync(() -> {
          try {
            return post(
                version,
                version.send,
                version.textMessage("plan", ",\"metadata\":{\"skillId\":\"route\"}"),
                AgentBehindNode.JOE,
                correlationId);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    Awaitility.await()
        .untilAsserted(() ->
            assertThat(node().events(correlationId)).anyMatch(ApprovalRequested.class::isInstance));
    assertThat(agent().requests).isEmpty();

    node().decide(correlationId, true, "fine");

    assertThat(held.join().result().findValue("state").asText())
        .isEqualTo(version.state("completed"));
    assertThat(names(held.join())).contains("ApprovalGranted", "AgentTaskCreated", "CallAnswered");
  }

  @ParameterizedTest
  @CsvSource({"V03", "V1"})
  void hostileAnswersAreTypedFaults(A2aWireVersion version) throws IOException {
    start(version);
    send(version, "plan", "", AgentBehindNode.JOE).result();

    assertThat(fault(send(version, "garbage", "", AgentBehindNode.ANN)))
        .isInstanceOf(InvalidAgentResponse.class);
    Exchange stolen = send(version, "steal", "", AgentBehindNode.ANN);
    assertThat(stolen.error()).startsWith("-32006 ");
    assertThat(fault(stolen))
        .isEqualTo(new InvalidAgentResponse("planner", "the answer has the id of another task"));
    assertThat(stolen.response.toString()).doesNotContain("done", agent().task(1));
    assertThat(fault(send(version, "fail", "", AgentBehindNode.ANN)))
        .isEqualTo(new UpstreamError("planner", -32603, "broken", null, null));
    Exchange hung = send(version, "hang", "", AgentBehindNode.ANN);
    assertThat(fault(hung)).isEqualTo(new UpstreamTimeout("planner", agent().url(), 1_500));
    assertThat(node().events(hung.correlationId).stream().filter(CallForwarded.class::isInstance))
        .hasSize(1);
  }

  /** The codes and reasons that callers get; those of 1.0 come with the reason. */
  @ParameterizedTest
  @CsvSource({
    "V03, -32001, -32603",
    "V03, -32002, -32603",
    "V03, -32003, -32003",
    "V03, -32004, -32004",
    "V03, -32005, -32005",
    "V03, -32006, -32603",
    "V03, -32007, -32007",
    "V03, -32008, -32004",
    "V03, -32009, -32603",
    "V03, -32000, -32603",
    "V1, -32001, -32603",
    "V1, -32002, -32603",
    "V1, -32003, -32003 PUSH_NOTIFICATION_NOT_SUPPORTED",
    "V1, -32004, -32004 UNSUPPORTED_OPERATION",
    "V1, -32005, -32005 CONTENT_TYPE_NOT_SUPPORTED",
    "V1, -32006, -32603",
    "V1, -32007, -32007 EXTENDED_AGENT_CARD_NOT_CONFIGURED",
    "V1, -32008, -32008 EXTENSION_SUPPORT_REQUIRED",
    "V1, -32009, -32603",
    "V1, -32000, -32603",
    "V03, -32600, -32600",
    "V1, -32600, -32600"
  })
  void errorsOfTheAgentAreToldInTheCallersVersion(A2aWireVersion caller, int sent, String told)
      throws IOException {
    start(caller == A2aWireVersion.V03 ? A2aWireVersion.V1 : A2aWireVersion.V03);

    JsonNode error = send(caller, "error " + sent, "", AgentBehindNode.JOE).response.path("error");

    JsonNode first = error.path("data").path(0);
    String reason =
        first.path("domain").asText().equals("a2a-protocol.org")
            ? " " + first.path("reason").asText()
            : "";
    assertThat(error.path("code").asInt() + reason).isEqualTo(told);
    assertThat(error.path("message").asText()).doesNotContain("its own words");
  }

  @ParameterizedTest
  @CsvSource({"V03", "V1"})
  void paramsThatTheAgentRefusesAreTheCallersMistake(A2aWireVersion version) throws IOException {
    start(version);

    Exchange refused = send(version, "error -32602", "", AgentBehindNode.JOE);

    assertThat(refused.error()).isEqualTo("-32602 Invalid parameters: params: its own words");
    assertThat(fault(refused).category()).isEqualTo(Category.CLIENT);
  }

  @ParameterizedTest
  @CsvSource({"V03", "V1"})
  void idThatLooksLikeASecretIsToldButNotRecorded(A2aWireVersion version) throws IOException {
    start(version);
    String id = "ghp_" + "k3Jd9".repeat(8);

    Exchange got = post(version, version.get, "{\"id\":\"%s\"}".formatted(id), AgentBehindNode.JOE);

    assertThat(got.response.at("/error/data").toString())
        .contains("\"taskId\":\"%s\"".formatted(id));
    assertThat(String.join("", node().stored())).doesNotContain(id);
  }

  @ParameterizedTest
  @CsvSource({"V03", "V1"})
  void readIsRepeatedAndEachAttemptIsRecorded(A2aWireVersion version) throws IOException {
    start(version);
    send(version, "plan", "", AgentBehindNode.JOE).result();
    agent().unavailable.set(2);

    Exchange got = post(version, version.get, task1(), AgentBehindNode.JOE);

    assertThat(got.result().path("id").asText()).isEqualTo(agent().task(1));
    assertThat(AgentBehindNode.attempts(node(), got.correlationId))
        .containsExactly(
            "1 null",
            "2 HttpError: the response has the status 503",
            "3 HttpError: the response has the status 503");
  }

  @ParameterizedTest
  @CsvSource({"V03", "V1"})
  void sentMessageIsNotRepeated(A2aWireVersion version) throws IOException {
    start(version);
    agent().unavailable.set(1);

    Exchange sent = send(version, "plan", "", AgentBehindNode.JOE);

    assertThat(fault(sent)).isEqualTo(new ServiceUnavailable(Cause.UPSTREAM, null));
    assertThat(agent().requests).hasSize(1);
  }

  @Test
  void tenantOf10NamesTheAgentAndIsNotForwarded() throws IOException {
    start(A2aWireVersion.V1);
    String message =
        A2aWireVersion.V1.textMessage("plan", "").replaceFirst("^\\{", "{\"tenant\":\"planner\",");

    Exchange sent = postTo("/a2a/v1", "SendMessage", message, AgentBehindNode.JOE, "tenant-1");

    assertThat(sent.result().at("/task/id").asText()).isEqualTo(agent().task(1));
    assertThat(agent().requests.getFirst().at("/params/tenant").isMissingNode()).isTrue();
  }

  /** The params of requests about the first task. */
  private String task1() {
    return "{\"id\":\"%s\"}".formatted(agent().task(1));
  }

  private Exchange send(A2aWireVersion version, String text, String member, String token)
      throws IOException {
    return post(version, version.send, version.textMessage(text, member), token);
  }

  private Exchange post(A2aWireVersion version, String method, String params, String token)
      throws IOException {
    return post(version, method, params, token, "agents-" + calls.incrementAndGet());
  }

  private Exchange post(
      A2aWireVersion version, String method, String params, String token, String correlationId)
      throws IOException {
    return postTo("/a2a/planner/" + version.segment, method, params, token, correlationId);
  }

  private Exchange postTo(
      String path, String method, String params, String token, String correlationId)
      throws IOException {
    RawHttp.Answer answer =
        node()
            .post(
                path,
                correlationId,
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}"
                    .formatted(method, params)
                    .getBytes(UTF_8),
                "Authorization: Bearer " + token);
    return new Exchange(correlationId, JSON.readTree(answer.body()));
  }

  private Fault fault(Exchange exchange) {
    return ((ErrorTranslated) node().events(exchange.correlationId).getLast()).fault();
  }

  private List<String> names(Exchange exchange) {
    return node().events(exchange.correlationId).stream()
        .map(event -> event.getClass().getSimpleName())
        .toList();
  }

  private WatchedNode node() {
    return started().node();
  }

  private StubAgent agent() {
    return started().agent();
  }

  private AgentBehindNode started() {
    return Objects.requireNonNull(started);
  }
}
