package gatebook.api.node.operator;

import static gatebook.api.node.WatchedNode.hash;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.node.NodeCaller;
import gatebook.api.node.NodeReply;
import gatebook.api.node.TestNodes;
import gatebook.api.node.WatchedNode;
import gatebook.api.node.a2a.A2aWireVersion;
import gatebook.api.node.a2a.StubAgent;
import gatebook.command.redecide.RecordedCall;
import gatebook.command.redecide.RecordedEvent;
import gatebook.command.redecide.Resolution;
import gatebook.events.ApprovalRequested;
import gatebook.events.CallEvent;
import gatebook.events.CallForwarded;
import gatebook.events.CallReceived;
import gatebook.events.ErrorTranslated;
import gatebook.events.Event;
import gatebook.events.MessageRefused;
import gatebook.events.Proof;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Sends random calls to a node, asks it what other random rules would change, and sends the same
 * calls to a node with these rules: both must agree about each call.
 */
@Timeout(1_800)
final class RandomWhatIfTest {
  private static final int ROUNDS = Proof.rounds(4, 60);
  private static final int CALLS = 40;
  private static final JsonMapper JSON = new JsonMapper();

  private static final Map<String, String> POLICIES =
      Map.of(
          "small.cedar",
          """
          permit (principal, action, resource) when {
            resource has arguments && resource.arguments has amount && resource.arguments.amount < 100
          };
          """,
          "who.cedar",
          """
          permit (principal in ThoughtGate::Role::"dev", action, resource);
          permit (principal, action, resource) when { principal has team && principal.team == "red" };
          """);

  @RegisterExtension static final TestNodes NODES = new TestNodes();

  private static final StubAgent AGENT = new StubAgent(false);

  private final SplittableRandom random = Proof.random("what-if");

  @AfterAll
  static void closeAgent() throws IOException {
    AGENT.close();
  }

  /**
   * A call.
   *
   * @param path of the endpoint
   * @param body without an id for a notification
   */
  private record Sent(String path, String token, String body, boolean isApproved) {}

  @Test
  void whatIfAgreesWithRunningTheCallsUnderTheCandidate() throws IOException {
    int replayed = 0;
    int all = 0;
    Map<String, Integer> changes = new TreeMap<>();
    for (int round = 0; round < ROUNDS; round++) {
      String then = rules();
      String candidate = rules();
      String description = "then:\n%s\ncandidate:\n%s".formatted(then, candidate);
      List<Sent> calls = IntStream.range(0, CALLS).mapToObj(this::call).toList();
      WatchedNode before = node(then);
      WatchedNode after = node(candidate);
      JsonNode report = whatIf(before, candidate, () -> send(before, calls));
      send(after, calls);
      replayed += report.path("calls").path("replayed").asInt();
      all += report.path("calls").path("recorded").asInt();
      assertThat(report.path("selfCheck").path("faults").asInt()).as(description).isZero();
      assertThat(report.has("leftOut")).isFalse();
      report
          .path("changes")
          .properties()
          .forEach(it -> changes.merge(it.getKey(), it.getValue().asInt(), Integer::sum));
      for (int i = 0; i < calls.size(); i++) {
        check(i, calls.get(i), before, after, report, description);
      }
      before.close();
      after.close();
    }

    assertThat(replayed).as("of %d calls", all).isGreaterThanOrEqualTo(all * 95 / 100);
    if (Proof.LONG) {
      assertThat(changes).allSatisfy((change, count) -> assertThat(count).as(change).isPositive());
    }
  }

  /** Compares what the report says about one message with what both nodes recorded of it. */
  private static void check(
      int i,
      Sent call,
      WatchedNode before,
      WatchedNode after,
      JsonNode report,
      String description) {
    List<RecordedCall> then = recorded(before, i);
    List<RecordedCall> now = recorded(after, i);
    String as = "%s\n%s\nreport: %s".formatted(call, description, report.toPrettyString());
    for (int each = 0; each < then.size(); each++) {
      check(
          then.get(each), each < now.size() ? now.get(each) : null, refused(after, i), report, as);
    }
  }

  /**
   * Compares one call.
   *
   * @param now absent when the task was refused of which this call was a run
   */
  private static void check(
      RecordedCall then,
      @Nullable RecordedCall now,
      @Nullable MessageRefused refused,
      JsonNode report,
      String as) {
    if (then.received() == null) {
      return; // it never became a call, as its caller was unknown
    }
    String callId = then.received().callId().toString();
    if (isNotReplayable(report, callId) || isAmongMore(report, callId, then.received())) {
      return;
    }
    JsonNode group = group(report, callId);
    if (refused != null) {
      assertThat("unservable: " + refused.fault().kind())
          .as(as)
          .isEqualTo(group.path("after").asText());
      if (now != null) {
        assertThat(refused.told().code()).as(as).isEqualTo(group.path("code").asInt());
      }
      return;
    }
    RecordedCall real = Objects.requireNonNull(now, as);
    if (group.isMissingNode()) {
      assertThat(summary(real)).as(as).isEqualTo(summary(then));
    } else if (group.path("change").asText().equals("newly-asked")) {
      assertThat(real.approval()).as(as).isNotNull();
    } else {
      assertThat(summary(real)).as(as).isEqualTo(group.path("after").asText());
      assertThat(code(real)).as(as).isEqualTo(group.path("code").asInt());
    }
  }

  /** Whether it may be in a group that names only some of its calls. */
  private static boolean isAmongMore(JsonNode report, String callId, CallReceived received) {
    return group(report, callId).isMissingNode()
        && report
            .path("groups")
            .valueStream()
            .anyMatch(it ->
                it.path("count").asInt() > it.path("examples").size()
                    && it.path("target").asText().equals(received.target()));
  }

  private static @Nullable MessageRefused refused(WatchedNode node, int i) {
    return node.events(id(i)).stream()
        .filter(MessageRefused.class::isInstance)
        .map(MessageRefused.class::cast)
        .findFirst()
        .orElse(null);
  }

  private static int code(RecordedCall call) {
    return call.error() == null || call.approval() != null ? 0 : call.error().told().code();
  }

  private static String summary(RecordedCall call) {
    if (call.undecided() == null) {
      return Resolution.recorded(call).summary();
    }
    return call.error() == null ? "answered here" : "unservable: " + call.error().fault().kind();
  }

  private static boolean isNotReplayable(JsonNode report, String callId) {
    return report
        .path("notReplayable")
        .valueStream()
        .anyMatch(
            it -> it.path("examples").valueStream().anyMatch(id -> id.asText().equals(callId)));
  }

  private static JsonNode group(JsonNode report, String callId) {
    return report
        .path("groups")
        .valueStream()
        .filter(it -> it.path("examples").valueStream().anyMatch(id -> id.asText().equals(callId)))
        .findFirst()
        .orElseGet(() -> JSON.missingNode());
  }

  /** The calls of one message: one, and another for the run of a task. */
  private static List<RecordedCall> recorded(WatchedNode node, int i) {
    Map<UUID, List<RecordedEvent>> events = new LinkedHashMap<>();
    for (Event event : node.events(id(i))) {
      if (event instanceof CallEvent call) {
        List<RecordedEvent> ofCall = events.computeIfAbsent(call.callId(), _ -> new ArrayList<>());
        ofCall.add(new RecordedEvent(ofCall.size() + 1, Instant.EPOCH, call));
      }
    }
    return events.values().stream().map(RecordedCall::of).toList();
  }

  private static String id(int i) {
    return "call-" + i;
  }

  /** Sends the calls one after the other; a person decides those that are held. */
  private static void send(WatchedNode node, List<Sent> calls) throws IOException {
    for (int i = 0; i < calls.size(); i++) {
      Sent call = calls.get(i);
      String id = id(i);
      NodeCaller caller = call.token().isEmpty() ? node.caller() : node.as(call.token());
      CompletableFuture<NodeReply> reply =
          CompletableFuture.supplyAsync(
              () -> raw(caller, call, id), task -> Thread.ofVirtual().start(task));
      await().until(() -> reply.isDone() || isHeld(node, id));
      if (!reply.isDone() || isHeld(node, id)) {
        node.decide(id, call.isApproved(), "as it was thrown");
      }
      reply.join();
      await().until(() -> isSettled(node, id));
    }
  }

  private static NodeReply raw(NodeCaller caller, Sent call, String id) {
    try {
      var answer = caller.raw(call.path(), id, call.body());
      return new NodeReply(caller.node(), id, answer.status(), answer.headers(), JSON.nullNode());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isHeld(WatchedNode node, String id) {
    return node.events(id).stream().anyMatch(ApprovalRequested.class::isInstance);
  }

  private static boolean isSettled(WatchedNode node, String id) {
    return !isHeld(node, id)
        || node.events(id).stream()
            .anyMatch(it -> it instanceof CallForwarded || it instanceof ErrorTranslated);
  }

  private WatchedNode node(String rules) throws IOException {
    Path folder = NODES.folder();
    for (Map.Entry<String, String> policy : POLICIES.entrySet()) {
      Files.writeString(folder.resolve(policy.getKey()), policy.getValue());
    }
    return NODES.own(folder, rules);
  }

  @FunctionalInterface
  private interface Sending {
    void send() throws IOException;
  }

  private static JsonNode whatIf(WatchedNode node, String candidate, Sending sending)
      throws IOException {
    sending.send();
    ObjectNode params = JSON.createObjectNode().put("text", candidate);
    params.set("files", JSON.valueToTree(POLICIES));
    JsonNode started = node.operator(NodeCaller.ALICE, "audit.whatif", params.toString());
    assertThat(started.at("/result/state").asText()).as("%s", started).isEqualTo("running");
    await().until(() -> !status(node).path("state").asText().equals("running"));
    JsonNode status = status(node);
    assertThat(status.path("state").asText()).as("%s", status).isEqualTo("done");
    return status.path("report");
  }

  private static JsonNode status(WatchedNode node) throws IOException {
    return node.operator(NodeCaller.ALICE, "audit.whatifStatus", "{}").path("result");
  }

  private String rules() {
    String workflow = any("people", "people", "bosses");
    return """
    schema: 1
    sources:
      - {id: %s, kind: demo, prefix: "%s", enabled: %s, expose: %s}
      - {id: two, kind: demo, prefix: "t_", expose: %s}
      - {id: planner, kind: a2a, url: "%s", enabled: %s, expose: %s}
    governance: {defaults: {action: %s}, rules: [%s]}
    approval: {%s: {timeout: 10m}}
    cedar: {policies: [%s]}
    principals: [%s]
    operators: [{name: alice, token_hash: "%s", roles: [view, arguments, approve, admin]}]
    limits: {whatif_groups_max: 500}
    inspect: [%s]
    """
        .formatted(
            any("one", "one", "uno"),
            any("", "", "", "o_"),
            any("true", "true", "true", "false"),
            expose(),
            expose(),
            AGENT.url(),
            any("true", "true", "true", "false"),
            any("{mode: all}", "{mode: all}", "{mode: blocklist, tools: [\"skills/p*\"]}"),
            any("forward", "forward", "deny", "policy", "approve"),
            IntStream.range(0, random.nextInt(5))
                .mapToObj(_ -> rule())
                .collect(Collectors.joining(", "))
                .replace("WORKFLOW", workflow),
            workflow,
            any("small.cedar", "who.cedar", "small.cedar, who.cedar"),
            people(),
            hash(NodeCaller.ALICE),
            any("", "", "secrets"));
  }

  private String people() {
    List<String> people = new ArrayList<>();
    for (Map.Entry<String, String> person :
        new TreeMap<>(Map.of("joe", NodeCaller.JOE, "ann", NodeCaller.ANN)).entrySet()) {
      if (random.nextInt(5) > 0) {
        people.add(
            "{name: %s, token_hash: \"%s\"%s%s}"
                .formatted(
                    person.getKey(),
                    hash(person.getValue()),
                    any("", ", roles: [dev]", ", roles: [ops]"),
                    any("", ", attributes: {team: red}", ", attributes: {team: blue}")));
      }
    }
    return String.join(", ", people);
  }

  private String rule() {
    return "{match: \"%s\", %s}"
        .formatted(
            any(
                "*",
                "read*",
                "re*",
                "[pd]*",
                "pay*",
                "t_*",
                "drop*",
                "skills/*",
                "skills/r*",
                "m*"),
            any(
                "action: forward",
                "action: deny",
                "action: deny, public: true",
                "action: approve",
                "action: approve, approval: WORKFLOW",
                "action: policy, policy_id: p1",
                "action: policy, policy_id: p1, approval: WORKFLOW"));
  }

  private String expose() {
    return any(
        "{mode: all}",
        "{mode: all}",
        "{mode: allowlist, tools: [\"re*\", \"p*\"]}",
        "{mode: blocklist, tools: [\"d*\"]}",
        "{mode: blocklist, tools: [\"read*\"]}");
  }

  /** Each call has a name of its own, so that it is alone in its group. */
  private Sent call(int i) {
    String name = any("read", "pay", "drop", "t_read", "t_drop", "o_pay") + i;
    String arguments = any("{}", "{\"amount\":7}", "{\"amount\":700}", "{\"note\":\"plain\"}");
    String id = random.nextInt(8) == 0 ? "" : "\"id\":1,";
    String message =
        switch (random.nextInt(8)) {
          case 0 -> message(id, "prompts/get", "{\"name\":\"%s\"}".formatted(name));
          case 1 -> message(id, "resources/read", "{\"uri\":\"%s\"}".formatted(name));
          case 2 -> message("\"id\":1,", any("ping", "dance" + i, "tools/list"), "{}");
          default ->
              message(
                  id,
                  "tools/call",
                  "{\"name\":\"%s\",\"arguments\":%s}".formatted(name, arguments));
        };
    String token = any("", NodeCaller.JOE, NodeCaller.ANN);
    boolean isApproved = random.nextBoolean();
    return switch (random.nextInt(12)) {
      case 0, 1 ->
          new Sent(
              "/a2a/v0.3",
              token,
              skill(any("echo", "transfer", "t_echo", "t_delete_all"), arguments),
              isApproved);
      case 2, 3 -> new Sent("/a2a/planner/v0.3", token, agentMessage(arguments), isApproved);
      case 4, 5 -> new Sent("/flow", token, task(name, arguments), isApproved);
      default -> new Sent(any("/mcp", "/mcp", "/rpc"), token, message, isApproved);
    };
  }

  private String agentMessage(String arguments) {
    return random.nextInt(3) == 0
        ? NodeCaller.request("message/send", A2aWireVersion.V03.textMessage("hello", ""))
        : skill(any("route", "plan", "secret"), arguments);
  }

  /** A task that calls a tool, with the answer when it has run. */
  private static String task(String name, String arguments) {
    return message(
        "\"id\":1,",
        "tasks.execute",
        """
        {"wait":true,"tasks":[{"id":"11111111-1111-4111-8111-%012d","name":"a",
         "schemas":{"method":"%s"},"inputs":%s}]}
        """
            .formatted(name.hashCode() & 0xFFFF_FFFFL, name, arguments));
  }

  private static String skill(String name, String arguments) {
    return NodeCaller.request("message/send", A2aWireVersion.V03.skillMessage(name, arguments));
  }

  private static String message(String id, String method, String params) {
    return "{\"jsonrpc\":\"2.0\",%s\"method\":\"%s\",\"params\":%s}".formatted(id, method, params);
  }

  private String any(String... some) {
    return some[random.nextInt(some.length)];
  }
}
