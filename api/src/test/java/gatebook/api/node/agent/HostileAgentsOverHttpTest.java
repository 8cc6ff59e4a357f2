package gatebook.api.node.agent;

import static gatebook.api.node.agent.AgentBehindNode.ANN;
import static gatebook.api.node.agent.AgentBehindNode.JOE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.node.a2a.A2aWireVersion;
import gatebook.api.node.a2a.StubAgent.StreamScript;
import gatebook.api.node.a2a.StubAgent.StubStream;
import gatebook.api.upstream.source.StubServer;
import gatebook.events.ErrorTranslated;
import gatebook.events.Proof;
import gatebook.events.fault.UpstreamFault.InvalidAgentResponse;
import gatebook.events.fault.UpstreamFault.UpstreamTimeout;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Hostile agents, as callers see them: callers of both versions get a typed fault of agents of both
 * versions and nothing else of them, the journal has it, and no task stays open.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(600)
final class HostileAgentsOverHttpTest {
  private static final JsonMapper JSON = new JsonMapper();

  /** The reason of a fault that is a timeout. */
  private static final String TIMEOUT = "timeout";

  /** Nothing that a test expects has to come within this time. */
  private static final long TIMEOUT_MILLIS = 200;

  private static final String SKILL = ",\"metadata\":{\"skillId\":\"route\"}";
  private static final String HEAD = "HTTP/1.1 200 OK\r\n%sContent-Length: %d\r\n\r\n";
  private static final String PIECE = "x".repeat(0x10000);
  private static final int HUGE_BYTES = 100 << 20;

  @RegisterExtension static final TestAgents AGENTS = new TestAgents();

  private final AtomicInteger calls = new AtomicInteger();
  private final Map<A2aWireVersion, AgentBehindNode> patient = new ConcurrentHashMap<>();
  private final Map<A2aWireVersion, AgentBehindNode> hasty = new ConcurrentHashMap<>();

  @BeforeAll
  void start() throws Exception {
    for (A2aWireVersion spoken : A2aWireVersion.values()) {
      patient.put(spoken, start(spoken, 60_000));
      hasty.put(spoken, start(spoken, TIMEOUT_MILLIS));
    }
  }

  /**
   * The agent's card is known, and Ann has the agent's first task and its context; an agent with
   * little time may be too late with them, and sends nobody else's.
   */
  private static AgentBehindNode start(A2aWireVersion spoken, long millisMax) throws Exception {
    AgentBehindNode started =
        AGENTS.shared(
            spoken,
            "timeout: %dms".formatted(millisMax),
            """
            agent_card_wait_millis_max: 60000, agent_stream_idle_millis_max: %d, \
            answer_bytes_max: 1048576, agent_stream_bytes_max: 1048576, agent_stream_items_max: 20\
            """
                .formatted(millisMax));
    soon().until(() -> hasCard(started));
    String sent =
        read(started.post(spoken, spoken.send, spoken.textMessage("plan", ""), ANN, "anns"));
    if (millisMax != TIMEOUT_MILLIS) {
      assertThat(sent).contains("\"task-1\"", "\"context-1\"");
    }
    return started;
  }

  private static boolean hasCard(AgentBehindNode started) throws Exception {
    HttpRequest card =
        HttpRequest.newBuilder(URI.create(started.url() + "/.well-known/agent-card.json")).build();
    return started.http().send(card, BodyHandlers.discarding()).statusCode() == 200;
  }

  /** Waits for what is nearly there. */
  private static ConditionFactory soon() {
    return await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(5));
  }

  static Stream<HostileCase> answers() {
    return rows(
        row("nothing", StubStream::waitForEnd, TIMEOUT),
        row(
            "the beginning of an answer",
            stream -> {
              stream.raw(HEAD.formatted(StubServer.JSON, 99) + "{");
              stream.waitForEnd();
            },
            TIMEOUT),
        row("its end", _ -> {}, "the connection was closed before an answer"),
        row(
            "half an answer and its end",
            stream -> stream.raw(HEAD.formatted(StubServer.JSON, 99) + "{"),
            "the connection was closed within the answer's body"),
        row("no HTTP", stream -> stream.raw("SSH-2.0-secret\r\n\r\n"), "the answer is not HTTP"),
        row(
            "a page",
            stream -> stream.raw(HEAD.formatted("Content-Type: text/html\r\n", 6) + "secret"),
            "the answer's media type is not JSON"),
        row(
            "garbage",
            stream -> stream.answer("no json secret"),
            "the answer is not JSON-RPC: not JSON (syntax)"),
        row(
            "an answer to another request",
            stream -> stream.answer("{\"jsonrpc\":\"2.0\",\"id\":\"secret\",\"result\":{}}"),
            "the answer is not JSON-RPC: its id is not that of the request"),
        row("a stream", stream -> stream.task("working"), "the answer's media type is not JSON"),
        row(
            "100 MB",
            stream -> {
              stream.raw(HEAD.formatted(StubServer.JSON, HUGE_BYTES));
              stream.endlessly(PIECE);
            },
            "the answer is too large"),
        row(
            "the task of another caller",
            stream -> stream.sent("task-1", "context-new"),
            "the answer has the id of another task"),
        row(
            "the context of another caller",
            stream -> stream.sent("task-new", "context-1"),
            "the answer has the id of another task"));
  }

  static Stream<HostileCase> streams() {
    return rows(
        row("nothing", StubStream::waitForEnd, TIMEOUT),
        row(
            "an item and nothing more",
            stream -> {
              stream.task("working");
              stream.waitForEnd();
            },
            TIMEOUT),
        row("its end", _ -> {}, "the connection was closed before an answer"),
        row("no item", StubStream::begin, "the stream ended before its task did"),
        row(
            "an item and its end",
            stream -> stream.task("working"),
            "the stream ended before its task did"),
        row(
            "half an item and its end",
            stream -> {
              stream.task("working");
              stream.raw("data: {\"secret");
            },
            "the stream ended before its task did"),
        row(
            "garbage",
            stream -> {
              stream.task("working");
              stream.data("no json secret");
            },
            "the answer is not JSON-RPC: not JSON (syntax)"),
        row(
            "an item for another request",
            stream -> {
              stream.task("working");
              stream.data("{\"jsonrpc\":\"2.0\",\"id\":\"secret\",\"result\":{}}");
            },
            "the answer is not JSON-RPC: its id is not that of the request"),
        row(
            "a message after a task",
            stream -> {
              stream.task("working");
              stream.message("secret");
            },
            "the items of the stream are out of order",
            A2aWireVersion.V1),
        row(
            "another state after the last one",
            stream -> {
              stream.task("working");
              stream.status("completed", false);
              stream.status("working", false);
            },
            "the items of the stream are out of order",
            A2aWireVersion.V03),
        row(
            "another task",
            stream -> {
              stream.task("working");
              stream.task("task-1", "working");
            },
            "an item of the stream belongs to another task"),
        row(
            "the task of another caller",
            stream -> stream.task("task-1", "working"),
            "the answer has the id of another task"),
        row(
            "the context of another caller",
            stream -> {
              stream.task("working");
              stream.status("context-1", "working", false);
            },
            "the answer has the id of another task"),
        row(
            "an item of 100 MB",
            stream -> {
              stream.task("working");
              stream.raw("data: ");
              stream.endlessly(PIECE);
            },
            "the answer is too large"),
        row(
            "items without end",
            stream -> {
              stream.task("working");
              while (true) {
                stream.artifact("part");
              }
            },
            "the stream has too many items"),
        row(
            "large items without end",
            stream -> {
              stream.task("working");
              while (true) {
                stream.artifact(PIECE);
              }
            },
            "the stream is too large"));
  }

  /**
   * A behaviour of an agent.
   *
   * @param sent what it sends instead of an answer
   * @param reason why that is a fault
   * @param versions in which it is one
   */
  record AgentBehavior(
      String sent, StreamScript script, String reason, Set<A2aWireVersion> versions) {}

  private static AgentBehavior row(String sent, StreamScript script, String reason) {
    return new AgentBehavior(sent, script, reason, EnumSet.allOf(A2aWireVersion.class));
  }

  private static AgentBehavior row(
      String sent, StreamScript script, String reason, A2aWireVersion version) {
    return new AgentBehavior(sent, script, reason, EnumSet.of(version));
  }

  /** A behaviour of an agent of one version towards a caller of one. */
  record HostileCase(AgentBehavior behavior, A2aWireVersion caller, A2aWireVersion spoken) {
    @Override
    public String toString() {
      return "%s to %s from %s".formatted(behavior.sent, caller, spoken);
    }
  }

  /**
   * Each row with agents and callers of every version; of these, every build tries those whose
   * versions differ, and long proofs all.
   */
  private static Stream<HostileCase> rows(AgentBehavior... rows) {
    return Stream.of(rows)
        .flatMap(row ->
            row.versions.stream()
                .flatMap(spoken ->
                    Stream.of(A2aWireVersion.values())
                        .filter(caller -> Proof.LONG || caller != spoken)
                        .map(caller -> new HostileCase(row, caller, spoken))));
  }

  @ParameterizedTest
  @MethodSource("answers")
  void hostileAnswerIsATypedFault(HostileCase hostile) throws Exception {
    expectFault(hostile, hostile.caller.send);
  }

  @ParameterizedTest
  @MethodSource("streams")
  void hostileStreamEndsWithATypedFault(HostileCase hostile) throws Exception {
    expectFault(hostile, hostile.caller.stream);
  }

  private void expectFault(HostileCase hostile, String method) throws Exception {
    AgentBehindNode started = started(hostile);
    started.agent().answerScript = hostile.behavior.script;
    String id = correlationId();
    String params = hostile.caller.textMessage("script", "");

    String body = read(started.post(hostile.caller, method, params, JOE, id));

    JsonNode last = JSON.readTree(lastItem(body));
    assertThat(last.path("id").asInt()).isEqualTo(7);
    assertThat(last.at("/error/code").asInt() + " " + last.at("/error/message").asText())
        .as("%s", last)
        .isEqualTo(
            hostile.behavior.reason.equals(TIMEOUT)
                ? "-32603 Internal error"
                : "-32006 Invalid agent response");
    expectNothingOfOthers(started, body);
    expectRecord(started, hostile.behavior.reason, id);
  }

  @ParameterizedTest
  @MethodSource("answers")
  void hostileAnswerToAHeldMessageFailsItsTask(HostileCase hostile) throws Exception {
    AgentBehindNode started = started(hostile);
    started.agent().answerScript = hostile.behavior.script;
    A2aWireVersion caller = hostile.caller;
    String id = correlationId();
    String params = caller.configured(caller.textMessage("script", SKILL), false);
    JsonNode submitted = JSON.readTree(read(started.post(caller, caller.send, params, JOE, id)));
    String task = caller.task(submitted.path("result")).path("id").asText();

    started.node().decide(id, true, "fine");

    String get = "{\"id\":\"%s\"}".formatted(task);
    soon()
        .until(
            () -> read(started.post(caller, caller.get, get, JOE, correlationId())),
            body -> body.contains("\"state\":\"%s\"".formatted(caller.state("failed"))));
    expectNothingOfOthers(
        started, read(started.post(caller, caller.get, get, JOE, correlationId())));
    expectRecord(started, hostile.behavior.reason, id);
  }

  /** The last item of a stream, or a body that is none. */
  private static String lastItem(String body) {
    return body.lines()
        .filter(line -> line.startsWith("data: "))
        .reduce((_, line) -> line)
        .map(line -> line.substring(6))
        .orElse(body);
  }

  /** Only an agent that lets its caller wait has little time. */
  private AgentBehindNode started(HostileCase hostile) {
    return Objects.requireNonNull(
        (hostile.behavior.reason.equals(TIMEOUT) ? hasty : patient).get(hostile.spoken));
  }

  private String correlationId() {
    return "hostile-" + calls.incrementAndGet();
  }

  private static String read(HttpResponse<InputStream> response) throws IOException {
    try (InputStream body = response.body()) {
      return new String(body.readAllBytes(), UTF_8);
    }
  }

  /** Neither the agent's own words and address nor what another caller has. */
  private static void expectNothingOfOthers(AgentBehindNode started, String body) {
    assertThat(body)
        .doesNotContain(
            "secret",
            URI.create(started.agent().url()).getAuthority(),
            "\"task-1\"",
            "\"context-1\"");
  }

  /** The call has ended, was forwarded once, and its connection is closed. */
  private static void expectRecord(AgentBehindNode started, String reason, String id) {
    assertThat(started.last(id))
        .isInstanceOfSatisfying(
            ErrorTranslated.class,
            error ->
                assertThat(error.fault())
                    .isEqualTo(
                        reason.equals(TIMEOUT)
                            ? new UpstreamTimeout("planner", started.agent().url(), TIMEOUT_MILLIS)
                            : new InvalidAgentResponse("planner", reason)));
    assertThat(started.names(id)).containsOnlyOnce("CallForwarded");
    soon().until(() -> started.agent().open() <= 1);
  }
}
