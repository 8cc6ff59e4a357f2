package gatebook.api.node.operator;

import static gatebook.api.node.WatchedNode.hash;
import static gatebook.api.node.WatchedNode.toolCall;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.http.Port;
import gatebook.api.http.RawHttp;
import gatebook.api.node.KeysOnDisk;
import gatebook.api.node.NodeCaller;
import gatebook.api.node.RealJournal;
import gatebook.api.node.WatchedNode;
import gatebook.command.call.CallIdGenerator;
import gatebook.events.CallAdmitted;
import gatebook.events.CallReceived;
import gatebook.events.ErrorTranslated;
import gatebook.events.Event;
import gatebook.events.GateDenied;
import gatebook.events.OperatorActed;
import gatebook.events.ReceivedCall;
import gatebook.events.RulesActivated;
import gatebook.events.call.Action;
import gatebook.events.call.Bytes;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Dialect;
import gatebook.events.call.Digest;
import gatebook.events.call.ErrorResponse;
import gatebook.events.call.Exposure;
import gatebook.events.call.JsonValue;
import gatebook.events.call.KeptContent;
import gatebook.events.call.Ruling;
import gatebook.events.call.Verdict;
import gatebook.events.fault.Denied;
import gatebook.events.journal.Append;
import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.storage.Entry;
import gatebook.events.vocabulary.EventVocabulary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.axonframework.messaging.eventstreaming.Tag;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Redecides calls of a whole node from its journal. */
@Timeout(300)
final class RedecidedCallsTest {

  /** The token of an operator with the role {@code view}, and without {@code arguments}. */
  private static final String VIEWER = "operator-viewer-0123456789";

  private static final String SECRET = "ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";

  private static final String PAY =
      """
      permit (principal, action, resource) when {
        resource.arguments has amount && resource.arguments.amount < 100
      };
      permit (principal, action, resource) when {
        resource.arguments has key && resource.arguments.key == "%s"
      };
      """
          .formatted(SECRET);

  @TempDir private Path folder;

  private final JsonMapper json = new JsonMapper();
  private @Nullable WatchedNode started;

  private static String rules(String deleteAll, String more) {
    return """
    schema: 1
    sources: [{id: demo, kind: demo, expose: {mode: blocklist, tools: [process]}}]
    governance:
      defaults: {action: forward}
      rules:
        - {match: delete_all, action: %s}
        - {match: transfer, action: policy, policy_id: payments}
        - {match: deploy, action: approve, approval: people}
    approval: {people: {timeout: 10m}}
    cedar: {policies: [pay.cedar]}
    operators:
      - {name: alice, token_hash: "%s", roles: [view, arguments, approve]}
      - {name: viewer, token_hash: "%s", roles: [view]}
    %s
    """
        .formatted(deleteAll, hash(NodeCaller.ALICE), hash(VIEWER), more);
  }

  @BeforeEach
  void write() throws IOException {
    Files.writeString(folder.resolve("pay.cedar"), PAY);
  }

  @AfterEach
  void stop() {
    if (started != null) {
      started.close();
    }
  }

  @Test
  void deniedCallMatchesItsRecordAndDiffersUnderCurrentRules() throws IOException {
    start(rules("deny", ""));
    call("order-7", toolCall("delete_all"));
    String then = node().rulesHash();

    JsonNode before = replayed("order-7");
    node().change("gatebook.yaml", rules("forward", ""));
    JsonNode after = replayed("order-7");

    assertThat(before.at("/then/outcome").asText()).isEqualTo("denied by governance: rule");
    assertThat(before.at("/then/agrees").asBoolean()).isTrue();
    assertThat(before.at("/now/differs").asBoolean()).isFalse();
    assertThat(after.path("then")).isEqualTo(withTimesOf(before.path("then"), after.path("then")));
    assertThat(after.at("/then/rulesHash").asText()).isEqualTo(then);
    assertThat(after.at("/now/rulesHash").asText())
        .isEqualTo(node().rulesHash())
        .isNotEqualTo(then);
    assertThat(after.at("/now/outcome").asText()).isEqualTo("forwarded");
    assertThat(after.at("/now/source").asText()).isEqualTo("demo");
    assertThat(after.at("/now/differs").asBoolean()).isTrue();
    assertThat(after.at("/now/differences"))
        .isEqualTo(
            json.readTree(
                """
                [{"position": %d, "gate": "governance",
                  "recorded": {"gate": "governance", "verdict": {"kind": "deny", "reason": "rule",
                    "detail": null}, "action": "deny", "rule": 1, "pattern": "delete_all"},
                  "again": {"gate": "governance", "verdict": {"kind": "forward"},
                    "action": "forward", "rule": 1, "pattern": "delete_all"}}]
                """
                    .formatted(before.at("/steps/1/position").asLong())));
  }

  @Test
  void stepsShowTheStateAfterEachEvent() throws IOException {
    start(rules("deny", ""));
    call("order-7", toolCall("delete_all"));

    JsonNode steps = replayed("order-7").path("steps");

    assertThat(steps.findValuesAsText("name"))
        .containsExactly("CallReceived", "GateDenied", "ErrorTranslated");
    assertThat(steps.at("/0/state"))
        .isEqualTo(
            json.readTree(
                """
                {"status": "held", "principal": "anonymous", "target": "delete_all",
                 "source": "demo", "rulesHash": "%s"}
                """
                    .formatted(node().rulesHash())));
    assertThat(steps.at("/1/state/status").asText()).isEqualTo("denied");
    assertThat(steps.at("/1/state/gate").asText()).isEqualTo("governance");
    assertThat(steps.at("/1/state").has("code")).isFalse();
    assertThat(steps.at("/2/state/code").asInt()).isEqualTo(-32014);
    assertThat(steps.at("/2/state/fault").asText()).isEqualTo("GovernanceRuleDenied");
    assertThat(steps.at("/0/millis").asLong()).isZero();
  }

  @Test
  void policySeesTheOriginalArguments() throws IOException {
    start(rules("deny", ""));
    call("small", toolCall("transfer", "{\"amount\": 99}"));
    call("large", toolCall("transfer", "{\"amount\": 100}"));

    assertThat(replayed("small").at("/then/outcome").asText()).isEqualTo("forwarded");
    assertThat(replayed("large").at("/then/outcome").asText())
        .isEqualTo("denied by policy: no-policy-permits");
    assertThat(Stream.of("small", "large").map(this::agrees)).containsExactly(true, true);
    node().change("pay.cedar", PAY.replace("100", "101"));
    assertThat(replayed("large").at("/now/outcome").asText()).isEqualTo("forwarded");
    assertThat(replayed("large").at("/now/differences/0/gate").asText()).isEqualTo("policy");
    assertThat(replayed("small").at("/now/differs").asBoolean()).isFalse();
  }

  @Test
  void targetIsRedecidedByItsRealNameOnly() throws IOException {
    start(rules("deny", "").replace("match: delete_all", "match: \"res*\""));
    String read =
        """
        {"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"%s"}}\
        """;
    call("sealed", read.formatted("res://x?token=hunter2"));
    JsonNode sealed = replayed("sealed");
    node().change("gatebook.yaml", rules("deny", "record: {originals: none}"));
    call("none", read.formatted("res://x?token=hunter2"));
    JsonNode none = replayed("none");

    assertThat(sealed.at("/then/outcome").asText()).isEqualTo("denied by governance: rule");
    assertThat(sealed.at("/then/agrees").asBoolean()).isTrue();
    assertThat(sealed.at("/steps/0/state/target").asText()).isEqualTo("res://x?token=[value]");
    assertThat(none.at("/notReplayable/reason").asText()).isEqualTo("not-kept");
    assertThat(none.path("then").isMissingNode() || none.path("then").isNull()).isTrue();
  }

  @Test
  void redactedSecretIsUsedButNeverShown() throws IOException {
    start(rules("deny", ""));
    call("keyed", toolCall("transfer", "{\"key\": \"" + SECRET + "\"}"));

    JsonNode replayed = replayed("keyed");

    assertThat(replayed.at("/then/outcome").asText()).isEqualTo("forwarded");
    assertThat(replayed.at("/then/agrees").asBoolean()).isTrue();
    assertThat(replayed.at("/arguments/redacted").has("key")).isTrue();
    assertThat(replayed.toString()).doesNotContain(SECRET);
    assertThat(node().stored()).noneMatch(it -> it.contains("\"original\"") && it.contains(SECRET));
  }

  @Test
  void operatorWithoutArgumentsRoleSeesVerdictsOnly() throws IOException {
    start(rules("deny", ""));
    call("small", toolCall("transfer", "{\"amount\": 7654321}"));

    JsonNode seen = replayedFor(VIEWER, "small");

    assertThat(seen.has("arguments")).isFalse();
    assertThat(seen.toString()).doesNotContain("7654321");
    assertThat(seen.at("/then/agrees").asBoolean()).isTrue();
    assertThat(replayed("small").at("/arguments/redacted/amount").asInt()).isEqualTo(7654321);
  }

  @Test
  void callWhoseKeyIsMissingIsNotRedecided() throws IOException {
    start(rules("deny", ""));
    call("keyed", toolCall("transfer", "{\"key\": \"" + SECRET + "\"}"));
    call("denied", toolCall("delete_all", "{\"key\": \"" + SECRET + "\"}"));
    stop();
    KeysOnDisk.delete(folder.resolve("data"));
    start(rules("deny", ""));

    JsonNode keyed = replayed("keyed");

    assertThat(keyed.has("then")).isFalse();
    assertThat(keyed.has("now")).isFalse();
    assertThat(keyed.at("/notReplayable/reason").asText()).isEqualTo("key-missing");
    assertThat(keyed.at("/notReplayable/message").asText())
        .isEqualTo("the key of the call's content is missing: restore it from a backup of keys");
    assertThat(keyed.path("steps")).hasSize(4);
    assertThat(agrees("denied")).isTrue();
  }

  @Test
  void callWhoseContentWasErasedIsNotRedecided() throws IOException {
    start(rules("deny", ""));
    call("keyed", toolCall("transfer", "{\"key\": \"" + SECRET + "\"}"));
    call("denied", toolCall("delete_all", "{\"key\": \"" + SECRET + "\"}"));
    node().erase("anonymous");

    JsonNode keyed = replayed("keyed");

    assertThat(keyed.has("then")).isFalse();
    assertThat(keyed.has("now")).isFalse();
    assertThat(why("keyed")).isEqualTo("erased: the content of the call was erased");
    assertThat(keyed.path("steps")).hasSize(4);
    assertThat(agrees("denied")).isTrue();
  }

  @Test
  void argumentsDigestedUnderAnUnknownKeyAreNotRedecided() throws IOException {
    start(rules("deny", ""));
    UUID old = new CallIdGenerator(Clock.systemUTC()).next();
    KeptContent kept =
        new KeptContent(
            12, new Digest("old", Bytes.of(new byte[32])), JsonValue.parse("{\"amount\":7}"), null);
    append(received(old, "transfer", node().rulesHash(), kept), admitted(old, node().rulesHash()));

    assertThat(why(old.toString()))
        .isEqualTo(
            "other-key: the arguments were digested with the key old, which this node does not"
                + " have");
  }

  @Test
  void redactedArgumentsWithoutOriginalsAreNotRedecided() throws IOException {
    start(rules("deny", "record: {originals: none}"));
    call("keyed", toolCall("transfer", "{\"key\":\"" + SECRET + "\"}"));
    call("small", toolCall("transfer", "{\"amount\":7}"));
    call("bare", toolCall("transfer", "{}"));

    assertThat(replayed("keyed").at("/notReplayable/reason").asText()).isEqualTo("not-kept");
    assertThat(Stream.of("small", "bare").map(this::agrees)).containsExactly(true, true);
  }

  @Test
  void truncatedArgumentsAreNotRedecided() throws IOException {
    start(rules("deny", "record: {whole_bytes_max: 10}"));
    call("large", toolCall("transfer", "{\"amount\":7,\"b\":1}"));

    assertThat(replayed("large").at("/notReplayable/reason").asText()).isEqualTo("too-large");
  }

  @Test
  void approvalIsAFactAndGatesAreEvaluatedAgain() throws IOException {
    start(rules("deny", ""));
    CompletableFuture<RawHttp.Answer> yes = node().hold("yes", toolCall("deploy"));
    node().decide("yes", true, "go");
    yes.join();
    CompletableFuture<RawHttp.Answer> no = node().hold("no", toolCall("deploy"));
    node().decide("no", false, "stop");
    no.join();

    JsonNode granted = replayed("yes");
    JsonNode rejected = replayed("no");

    assertThat(granted.at("/then/outcome").asText()).isEqualTo("held for people");
    assertThat(granted.at("/then/agrees").asBoolean()).isTrue();
    assertThat(texts(granted.path("notDecidedAgain")))
        .containsExactly(
            "approval: granted by alice",
            "source: demo was asked",
            "source: answered with success");
    assertThat(granted.at("/steps/2/state/approval").asText()).isEqualTo("granted by alice");
    assertThat(rejected.at("/then/agrees").asBoolean()).isTrue();
    assertThat(texts(rejected.path("notDecidedAgain")))
        .containsExactly("approval: rejected by alice");
  }

  @Test
  void forgedRecordIsReportedWithTheDifference() throws IOException {
    start(rules("deny", ""));
    UUID forged = new CallIdGenerator(Clock.systemUTC()).next();
    append(received(forged, "echo", node().rulesHash()), denied(forged), translated(forged));

    JsonNode replayed = replayed(forged.toString());

    assertThat(replayed.at("/then/recorded").asText()).isEqualTo("denied by governance: rule");
    assertThat(replayed.at("/then/outcome").asText()).isEqualTo("forwarded");
    assertThat(replayed.at("/then/agrees").asBoolean()).isFalse();
    assertThat(replayed.at("/then/differences").findValuesAsText("gate")).startsWith("governance");
    assertThat(replayed.at("/then/differences/0/position").asLong())
        .isEqualTo(replayed.at("/steps/1/position").asLong());
    assertThat(replayed.at("/then/differences/0/recorded/rule").asInt()).isEqualTo(9);
    assertThat(replayed.at("/then/differences/0/again/verdict/kind").asText()).isEqualTo("forward");
  }

  @Test
  void originalOfAnotherCallIsRefused() throws IOException {
    start(rules("deny", ""));
    call("small", toolCall("transfer", "{\"amount\":7}"));
    UUID small = ((CallReceived) node().events("small").getFirst()).callId();
    UUID forged = new CallIdGenerator(Clock.systemUTC()).next();
    append(copied(stored(small, "CallReceived"), small, forged));
    append(admitted(forged, node().rulesHash()));

    JsonNode replayed = replayed(forged.toString());

    assertThat(replayed.at("/notReplayable/reason").asText()).isEqualTo("tampered");
    assertThat(replayed.has("then")).isFalse();
  }

  @Test
  void callWithoutItsRulesIsRedecidedByCurrentOnesOnly() throws IOException {
    start(rules("deny", ""));
    UUID unknown = new CallIdGenerator(Clock.systemUTC()).next();
    UUID unreadable = new CallIdGenerator(Clock.systemUTC()).next();
    append(
        new RulesActivated("sha256:later", "schema: 1\nquotas: []\n", List.of(), null, "e"),
        received(unreadable, "echo", "sha256:later"),
        admitted(unreadable, "sha256:later"),
        received(unknown, "echo", "sha256:gone"),
        admitted(unknown, "sha256:gone"));

    assertThat(Stream.of(unknown, unreadable).map(id -> why(id.toString())))
        .containsExactly(
            "rules-not-recorded: the journal has no rules of the hash sha256:gone before the"
                + " call",
            "rules-not-readable: this version cannot read the recorded rules: the recorded rules,"
                + " line 1, the file needs 'sources': write sources: [{id: demo, kind: demo}]");
    assertThat(replayed(unknown.toString()).at("/now/outcome").asText()).isEqualTo("forwarded");
    assertThat(replayed(unknown.toString()).has("then")).isFalse();
  }

  @Test
  void callWithoutGateDecisionsCannotBeRedecided() throws IOException {
    start(rules("deny", ""));
    call(
        "unknown",
        """
        {"jsonrpc":"2.0","id":1,"method":"tools/dance"}\
        """);
    call(
        "broken",
        """
        {"jsonrpc":"2.0","id":1}\
        """);
    call(
        "listed",
        """
        {"jsonrpc":"2.0","id":1,"method":"tools/list"}\
        """);

    assertThat(Stream.of("unknown", "broken", "listed").map(this::why))
        .containsExactly(
            "nothing-decided: there is no decision to take again: no gate was asked about it: it"
                + " was refused before, with MethodNotFound",
            "nothing-decided: there is no decision to take again: the message never became a call:"
                + " InvalidRequest",
            "nothing-decided: there is no decision to take again: no gate governs it: it is"
                + " answered here");
  }

  @Test
  void ambiguousAndUnknownIdsAreRefused() throws IOException {
    start(rules("deny", ""));
    call("twice", toolCall("echo"));
    call("twice", toolCall("echo"));

    assertThat(asked(NodeCaller.ALICE, "twice").at("/error/code").asInt()).isEqualTo(-32602);
    assertThat(asked(NodeCaller.ALICE, "twice").at("/error/message").asText())
        .matches(
            "this id matches 2 calls: use the id of one, the newest are [-0-9a-f]{36},"
                + " [-0-9a-f]{36}");
    assertThat(asked(NodeCaller.ALICE, "nobody").at("/error/message").asText())
        .matches("no call up to position \\d+ has this id");
  }

  @Test
  void redecisionIsRecordedWithItsOperator() throws IOException {
    start(rules("deny", ""));
    call("order-7", toolCall("delete_all"));

    JsonNode replayed = replayedFor(VIEWER, "order-7");

    assertThat(node().events().getLast())
        .isEqualTo(
            new OperatorActed(
                "viewer",
                "audit.replayCall",
                JsonValue.parse("{\"id\":\"order-7\"}"),
                UUID.fromString(replayed.path("callId").asText()),
                true));
  }

  /** Copies the durations of the gates, the only difference that is allowed. */
  private static JsonNode withTimesOf(JsonNode one, JsonNode other) {
    assertThat(one.findValuesAsText("outcome")).isEqualTo(other.findValuesAsText("outcome"));
    JsonNode same = one.deepCopy();
    for (int i = 0; i < same.path("rulings").size(); i++) {
      ((ObjectNode) same.path("rulings").path(i))
          .set("tookMicros", other.path("rulings").path(i).path("tookMicros"));
    }
    return same;
  }

  private boolean agrees(String id) {
    return replayed(id).at("/then/agrees").asBoolean();
  }

  private String why(String id) {
    JsonNode why = replayed(id).path("notReplayable");
    return why.path("reason").asText() + ": " + why.path("message").asText();
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(it -> texts.add(it.asText()));
    return texts;
  }

  private JsonNode replayed(String id) {
    return replayedFor(NodeCaller.ALICE, id);
  }

  private JsonNode replayedFor(String operator, String id) {
    JsonNode answer = asked(operator, id);
    assertThat(answer.has("result")).as(answer.toString()).isTrue();
    return answer.path("result");
  }

  private JsonNode asked(String operator, String id) {
    String body =
        """
        {"jsonrpc":"2.0","id":1,"method":"audit.replayCall","params":{"id":"%s"}}\
        """
            .formatted(id);
    try {
      return json.readTree(
          node()
              .send(
                  Port.ADMIN,
                  "/operator",
                  body.getBytes(UTF_8),
                  "Content-Type: application/json",
                  "Authorization: Bearer " + operator)
              .body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void start(String rules) throws IOException {
    started = WatchedNode.start(folder, rules);
  }

  private void call(String correlationId, String body) throws IOException {
    node().post("/mcp", correlationId, body.getBytes(UTF_8));
  }

  private WatchedNode node() {
    return Objects.requireNonNull(started);
  }

  private void append(Event... events) {
    EventVocabulary eventVocabulary = node().vocabulary();
    append(
        Stream.of(events)
            .map(it -> eventVocabulary.draft(it, Instant.now()))
            .toArray(DraftEvent[]::new));
  }

  private void append(DraftEvent... drafts) {
    assertThat(node().journal().append(ConflictCondition.none(), List.of(drafts)).join())
        .isInstanceOf(Append.Stored.class);
  }

  private Entry stored(UUID call, String name) {
    return RealJournal.entries(node().journal()).stream()
        .filter(entry -> entry.tagSet().contains(new Tag("call", call.toString())))
        .filter(entry -> entry.name().endsWith("." + name))
        .findFirst()
        .orElseThrow();
  }

  /** The same payload, as an event of another call. */
  private static DraftEvent copied(Entry entry, UUID call, UUID other) {
    return DraftEvent.of(
        UUID.randomUUID().toString(),
        entry.name(),
        entry.version(),
        Instant.now(),
        Set.of(new Tag("call", other.toString())),
        new String(entry.payload(), UTF_8)
            .replace(call.toString(), other.toString())
            .getBytes(UTF_8),
        "{}".getBytes(UTF_8));
  }

  private static CallReceived received(UUID call, String tool, String rulesHash) {
    return received(call, tool, rulesHash, null);
  }

  private static CallReceived received(
      UUID call, String tool, String rulesHash, @Nullable KeptContent arguments) {
    return ReceivedCall.of(call, Instant.now())
        .correlation("forged")
        .by("anonymous")
        .to("demo", tool)
        .with(arguments, null)
        .under(rulesHash)
        .event();
  }

  private static CallAdmitted admitted(UUID call, String rulesHash) {
    return new CallAdmitted(
        call,
        rulesHash,
        List.of(
            new Ruling.Visibility(new Verdict.Pass(), Exposure.BLOCKLIST, null, 1),
            new Ruling.Governance(new Verdict.Forward(), Action.FORWARD, null, null, 1)));
  }

  private GateDenied denied(UUID call) {
    return new GateDenied(
        call,
        node().rulesHash(),
        "echo",
        "anonymous",
        List.of(
            new Ruling.Visibility(new Verdict.Pass(), Exposure.BLOCKLIST, null, 1),
            new Ruling.Governance(
                new Verdict.Deny(DenialReason.RULE, null), Action.DENY, 9, "echo", 1)));
  }

  private static ErrorTranslated translated(UUID call) {
    return new ErrorTranslated(
        call,
        "echo",
        new Denied.GovernanceRuleDenied("echo", "echo", false),
        new ErrorResponse(Dialect.MCP, -32014, "denied", null, 200),
        0,
        null,
        1);
  }
}
