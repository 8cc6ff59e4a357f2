package gatebook.api.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.http.RawHttp;
import gatebook.api.node.a2a.A2aWireVersion;
import gatebook.api.rpc.JsonStrings;
import gatebook.events.ApprovalRequested;
import gatebook.events.CallAdmitted;
import gatebook.events.GateDenied;
import gatebook.events.Proof;
import gatebook.events.RulesActivated;
import gatebook.events.RulesObserved;
import gatebook.events.call.Gate;
import gatebook.events.call.ObservedVerdict;
import gatebook.events.call.ObservedVerdict.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A node that observes a candidate: the verdict is recorded, and no answer changes. */
@Timeout(300)
final class ObservedCandidateTest {
  @RegisterExtension static final TestNodes NODES = new TestNodes();

  private static final String RULES =
      """
      schema: 1
      sources: [{id: demo, kind: demo}]
      governance:
        defaults: {action: deny}
        rules: [{match: echo, action: forward}]
      observe: candidate.yaml
      """
          + NodeCaller.people("view, admin");

  /** The token of a principal whom only the candidate knows. */
  private static final String ZOE = "zoe-token-0123456789abcdef";

  private static final List<String> TOOLS =
      List.of("echo", "delete_all", "transfer", "deploy", "unknown");

  private static String candidate(String match, String action) {
    return """
    schema: 1
    sources: [{id: demo, kind: demo}]
    governance:
      defaults: {action: forward}
      rules:
        - {match: other, action: forward}
        - {match: %s, action: %s}
    approval: {default: {timeout: 60s}}
    principals: [{name: joe, token_hash: "%s"}, {name: zoe, token_hash: "%s"}]
    """
        .formatted(match, action, WatchedNode.hash(NodeCaller.JOE), WatchedNode.hash(ZOE));
  }

  private static Path folder(String candidate) throws IOException {
    Path folder = NODES.folder();
    Files.writeString(folder.resolve("candidate.yaml"), candidate);
    return folder;
  }

  private static NodeReply call(NodeCaller caller, String tool) throws IOException {
    return caller.mcp("tools/call", "{\"name\":\"%s\",\"arguments\":{}}".formatted(tool));
  }

  private static @Nullable ObservedVerdict observed(NodeReply reply) {
    return reply.events().stream()
        .filter(event ->
            event instanceof CallAdmitted
                || event instanceof GateDenied
                || event instanceof ApprovalRequested)
        .map(event ->
            switch (event) {
              case CallAdmitted admitted -> admitted.observed();
              case GateDenied denied -> denied.observed();
              case ApprovalRequested requested -> requested.observed();
              default -> throw new AssertionError(event);
            })
        .toList()
        .getFirst();
  }

  private static long recorded(WatchedNode node, Class<?> type) {
    return node.events().stream().filter(type::isInstance).count();
  }

  @Test
  void aVerdictIsRecordedAndCountedApart() throws IOException {
    WatchedNode node = NODES.own(folder(candidate("echo", "deny")), RULES);
    Map<String, Double> denials = node.counted("thoughtgate_gate_denials");

    NodeReply forwarded = call(node.joe(), "echo");

    assertThat(forwarded.eventNames()).contains("CallForwarded", "CallAnswered");
    assertThat(node.increments("thoughtgate_gate_denials", denials)).isEmpty();
    RulesObserved candidate =
        (RulesObserved)
            node.events().stream()
                .filter(RulesObserved.class::isInstance)
                .findFirst()
                .orElseThrow();
    assertThat(candidate.rules()).contains("{match: echo, action: deny}");
    assertThat(observed(forwarded))
        .isEqualTo(
            new ObservedVerdict(
                candidate.rulesHash(),
                Outcome.WOULD_DENY,
                Gate.GOVERNANCE,
                2,
                null,
                "rule",
                null,
                null,
                "echo",
                "joe"));
    assertThat(node.counted("gatebook_observed"))
        .containsEntry("gatebook_observed_verdicts_total{verdict=\"would-deny\"}", 1.0);
    JsonNode counted =
        node.alice()
            .operator("audit.denials", "{\"observed\":true,\"by\":[\"tool\",\"principal\"]}")
            .result();
    assertThat(counted.at("/groups/0/tool").asText()).isEqualTo("echo");
    assertThat(counted.at("/groups/0/principal").asText()).isEqualTo("joe");
    assertThat(counted.path("total").asLong()).isEqualTo(1);
    assertThat(node.alice().operator("audit.denials", "{}").result().path("total").asLong())
        .isZero();
    assertThat(
            node.alice().operator("audit.denials", "{\"observed\":true,\"by\":[\"code\"]}").code())
        .isEqualTo(-32_602);
  }

  @Test
  void aDeniedCallHasTheVerdictsOfBoth() throws IOException {
    WatchedNode node = NODES.own(folder(candidate("get_time", "forward")), RULES);

    NodeReply denied = call(node.joe(), "get_time");

    assertThat(denied.eventNames()).contains("GateDenied");
    assertThat(observed(denied))
        .extracting(ObservedVerdict::outcome)
        .isEqualTo(Outcome.WOULD_FORWARD);
  }

  @Test
  void callsAreListedWithBothVerdicts() throws IOException {
    WatchedNode node = NODES.own(folder(candidate("\"*e*\"", "deny")), RULES);
    NodeReply forwarded = call(node.joe(), "echo");
    NodeReply denied = call(node.joe(), "get_time");
    call(node.ann(), "add");

    JsonNode first = deniedCalls(node, "\"limit\":2").result();
    JsonNode last = deniedCalls(node, "\"cursor\":%s".formatted(first.path("cursor"))).result();

    assertThat(first.path("total").asInt()).isEqualTo(3);
    assertThat(first.path("calls"))
        .extracting(
            it -> it.path("status").asText(),
            it -> it.path("target").asText(),
            it -> it.at("/decided/verdict/reason").asText(),
            it -> it.at("/observed/outcome").asText(),
            it -> it.at("/observed/rule").asText(),
            it -> it.path("reason").asText())
        .containsExactly(
            tuple("denied", "add", "default-action", "would-deny", "", "principal-unknown"),
            tuple("denied", "get_time", "default-action", "would-deny", "2", "rule"));
    assertThat(last.path("calls")).hasSize(1);
    JsonNode oldest = last.at("/calls/0");
    assertThat(oldest.path("correlationId").asText()).isEqualTo(forwarded.correlationId());
    assertThat(oldest.path("status").asText()).isEqualTo("answered");
    assertThat(oldest.at("/decided/verdict/kind").asText()).isEqualTo("forward");
    assertThat(oldest.path("gate").asText()).isEqualTo("governance");
    assertThat(last.has("cursor")).isFalse();
    assertThat(deniedCalls(node, "\"gate\":null").result().path("total").asInt()).isEqualTo(1);
    assertThat(deniedCalls(node, "\"reason\":\"principal-unknown\"").result().path("total").asInt())
        .isEqualTo(1);
    assertThat(deniedCalls(node, "\"code\":null").code()).isEqualTo(-32_602);
    assertThat(observed(denied))
        .as("what the event has is not repeated")
        .extracting(ObservedVerdict::target, ObservedVerdict::principal)
        .containsExactly(null, null);
  }

  private static NodeReply deniedCalls(WatchedNode node, String params) throws IOException {
    return node.alice().operator("audit.deniedCalls", "{\"observed\":true,%s}".formatted(params));
  }

  @Test
  void tasksOfATreeAreObserved() throws IOException {
    WatchedNode node = NODES.own(folder(candidate("echo", "deny")), RULES);

    JsonNode tree =
        node.joe()
            .flow(
                "tasks.execute",
                """
                {"wait":true,"tasks":[{"id":"11111111-1111-4111-8111-111111111111","name":"a",
                 "schemas":{"method":"echo"},"inputs":{"n":1}}]}
                """)
            .result();

    assertThat(tree.toString()).contains("completed");
    assertOneIsListed(node, "flow");
  }

  @Test
  void messagesToAnAgentAreObserved() throws IOException {
    WatchedNode node = NODES.own(folder(candidate("echo", "deny")), RULES);
    A2aWireVersion version = A2aWireVersion.V1;

    NodeReply sent =
        node.joe()
            .post(version.path(), version.send, version.skillMessage("echo", "{\"n\":1}", true));

    assertThat(sent.eventNames()).contains("CallAnswered");
    assertOneIsListed(node, "a2a");
  }

  @Test
  void callsInTheDialectOfDaemonsAreObserved() throws IOException {
    WatchedNode node = NODES.own(folder(candidate("echo", "deny")), RULES);

    NodeReply reply = node.joe().rpc("tools/call", "{\"name\":\"echo\",\"arguments\":{}}");

    assertThat(reply.eventNames()).contains("CallAnswered");
    assertOneIsListed(node, "daemon");
  }

  private static void assertOneIsListed(WatchedNode node, String dialect) throws IOException {
    JsonNode listed = deniedCalls(node, "\"tool\":\"echo\"").result();
    assertThat(listed.path("calls"))
        .singleElement()
        .satisfies(
            it -> assertThat(it.path("dialect").asText()).isEqualTo(dialect),
            it -> assertThat(it.at("/decided/verdict/kind").asText()).isEqualTo("forward"),
            it -> assertThat(it.at("/observed/outcome").asText()).isEqualTo("would-deny"));
  }

  @Test
  void answersAreThoseOfANodeWithoutACandidate() throws IOException {
    SplittableRandom random = Proof.random("answers beside a candidate");
    String rules = randomRules(random, "forward", "deny");
    WatchedNode plain = NODES.own(rules);
    Path folder = folder(randomRules(random, "forward", "deny", "approve"));
    WatchedNode observing = NODES.own(folder, rules + "observe: candidate.yaml\n");

    for (int i = 0; i < Proof.rounds(60, 1_000); i++) {
      String path = random.nextBoolean() ? "/mcp" : "/rpc";
      String tool = TOOLS.get(random.nextInt(TOOLS.size()));
      String body =
          NodeCaller.request(
              "tools/call",
              "{\"name\":\"%s\",\"arguments\":{\"n\":%d}}".formatted(tool, random.nextInt(3)));
      String correlationId = "same-" + i;

      RawHttp.Answer answer = observing.joe().raw(path, correlationId, body);

      RawHttp.Answer expected = plain.joe().raw(path, correlationId, body);
      assertThat(answer.status()).isEqualTo(expected.status());
      assertThat(answer.body()).isEqualTo(expected.body());
    }
    assertThat(observing.counted("gatebook_observed_verdicts").values())
        .as("it observed")
        .anyMatch(verdicts -> verdicts > 0);
  }

  private static String randomRules(SplittableRandom random, String... actions) {
    String governed =
        TOOLS.stream()
            .map(tool ->
                "{match: %s, action: %s}".formatted(tool, actions[random.nextInt(actions.length)]))
            .collect(Collectors.joining(", "));
    return """
    schema: 1
    sources: [{id: demo, kind: demo, expose: {mode: blocklist, tools: [%s]}}]
    governance: {defaults: {action: deny}, rules: [%s]}
    approval: {default: {timeout: 60s}}
    """
            .formatted(TOOLS.get(random.nextInt(TOOLS.size())), governed)
        + NodeCaller.people();
  }

  /** A candidate that is written while calls run is whole, or is known to be broken. */
  @Test
  void aCandidateThatChangesMeanwhileChangesNoAnswer() throws Exception {
    Path folder = folder(candidate("echo", "deny"));
    WatchedNode node = NODES.own(folder, RULES);
    String answer = call(node.joe(), "echo").response().toString();
    AtomicBoolean ended = new AtomicBoolean();
    List<String> texts =
        List.of(
            candidate("echo", "forward"),
            candidate("echo", "deny").substring(0, 150),
            "#".repeat(10 << 20),
            candidate("\"*" + "a*".repeat(500) + "\"", "approve"));
    CompletableFuture<Void> writing =
        CompletableFuture.runAsync(
            () -> {
              for (int i = 0; !ended.get(); i++) {
                write(folder.resolve("candidate.yaml"), texts.get(i % texts.size()));
              }
            },
            task -> Thread.ofVirtual().start(task));

    try {
      await()
          .until(() -> {
            NodeReply reply = call(node.joe(), "echo");
            assertThat(reply.response()).hasToString(answer);
            return node.counted("gatebook_observed_failures").values().stream()
                .anyMatch(failures -> failures > 0);
          });
    } finally {
      ended.set(true);
      writing.join();
    }
    Set<String> recorded =
        node.events().stream()
            .filter(RulesObserved.class::isInstance)
            .map(event -> ((RulesObserved) event).rulesHash())
            .collect(Collectors.toSet());
    assertThat(node.events())
        .filteredOn(CallAdmitted.class::isInstance)
        .extracting(event -> Objects.requireNonNull(((CallAdmitted) event).observed()))
        .allSatisfy(verdict ->
            assertThat(
                    verdict.outcome() == Outcome.FAILED || recorded.contains(verdict.rulesHash()))
                .isTrue());
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void nobodyIsAskedAndNoQuotaTaken() throws IOException {
    WatchedNode node = NODES.own(folder(candidate("echo", "approve")), RULES);

    NodeReply reply = call(node.joe(), "echo");

    assertThat(reply.eventNames()).contains("CallAnswered").doesNotContain("ApprovalRequested");
    assertThat(observed(reply))
        .extracting(ObservedVerdict::outcome, ObservedVerdict::workflow)
        .containsExactly(Outcome.WOULD_ASK, "default");
    assertThat(node.counted("gatebook_calls_held").values()).allMatch(held -> held == 0);
  }

  @Test
  void aPrincipalUnknownToTheCandidateWouldBeDenied() throws IOException {
    WatchedNode node = NODES.own(folder(candidate("echo", "forward")), RULES);

    assertThat(observed(call(node.ann(), "echo")))
        .extracting(ObservedVerdict::outcome, ObservedVerdict::reason, ObservedVerdict::principal)
        .containsExactly(Outcome.WOULD_DENY, "principal-unknown", "ann");
  }

  @Test
  void aPrincipalOfTheCandidateAloneStaysUnknown() throws IOException {
    WatchedNode node = NODES.own(folder(candidate("echo", "forward")), RULES);

    NodeReply reply = call(node.as(ZOE), "echo");

    assertThat(reply.status()).isEqualTo(401);
    assertThat(reply.eventNames()).doesNotContain("CallForwarded");
  }

  @Test
  void aMissingCandidateChangesNothing() throws IOException {
    WatchedNode node = NODES.own(RULES);

    NodeReply reply = call(node.joe(), "echo");

    assertThat(reply.eventNames()).contains("CallAnswered");
    assertThat(observed(reply))
        .extracting(ObservedVerdict::outcome, ObservedVerdict::reason)
        .containsExactly(Outcome.FAILED, "broken");
  }

  @Test
  void aChangedCandidateIsLoadedAndRecordedOnce() throws IOException {
    Path folder = folder(candidate("echo", "deny"));
    WatchedNode node = NODES.own(folder, RULES);
    assertThat(observed(call(node.joe(), "echo")))
        .extracting(ObservedVerdict::outcome)
        .isEqualTo(Outcome.WOULD_DENY);

    node.change("candidate.yaml", candidate("echo", "forward"));

    assertThat(observed(call(node.joe(), "echo")))
        .extracting(ObservedVerdict::outcome)
        .isEqualTo(Outcome.WOULD_FORWARD);
    node.change("candidate.yaml", candidate("echo", "deny"));
    assertThat(recorded(node, RulesObserved.class)).isEqualTo(2);
    assertThat(recorded(node, RulesActivated.class)).isEqualTo(1);
    node.close();

    WatchedNode again = NODES.own(folder, RULES);
    assertThat(recorded(again, RulesObserved.class)).isEqualTo(2);
  }

  @Test
  void aBrokenCandidateChangesNothingAndIsCounted() throws IOException {
    WatchedNode node = NODES.own(folder(candidate("echo", "permit")), RULES);

    List<NodeReply> replies = List.of(call(node.joe(), "echo"), call(node.joe(), "echo"));

    assertThat(replies)
        .allSatisfy(reply -> {
          assertThat(reply.eventNames()).contains("CallAnswered");
          assertThat(observed(reply))
              .extracting(ObservedVerdict::outcome, ObservedVerdict::reason)
              .containsExactly(Outcome.FAILED, "broken");
        });
    assertThat(node.counted("gatebook_observed_failures"))
        .containsEntry("gatebook_observed_failures_total{reason=\"broken\"}", 2.0);
    assertThat(node.lines().stream().filter(line -> line.contains("cannot decide a call")).count())
        .isEqualTo(1);
    assertThat(node.alice().operator("rules.check", "{}").result().toString())
        .contains("\"candidate.yaml\"", "\"line\":7,\"column\":29");
  }

  @Test
  void rulesAndPoliciesInModeObserveArePassedOver() throws IOException {
    Path folder = NODES.folder();
    Files.writeString(
        folder.resolve("all.cedar"),
        """
        permit (principal, action, resource);
        @id("new") @mode("observe")
        forbid (principal, action, resource) when { resource.arguments.text == "no" };
        @id("wrong") @mode("observe")
        forbid (principal, action, resource) when { resource.arguments.count > 1 };
        """);
    WatchedNode node =
        NODES.own(
            folder,
            """
            schema: 1
            sources: [{id: demo, kind: demo}]
            governance:
              defaults: {action: forward}
              rules:
                - {match: add, action: deny, mode: observe}
                - {match: echo, action: policy, policy_id: text}
            cedar: {policies: [all.cedar]}
            """
                + NodeCaller.people());

    NodeReply byRule = call(node.joe(), "add");
    NodeReply byPolicy =
        node.joe()
            .mcp("tools/call", "{\"name\":\"echo\",\"arguments\":{\"text\":\"no\",\"count\":0}}");
    NodeReply byError =
        node.joe()
            .mcp(
                "tools/call", "{\"name\":\"echo\",\"arguments\":{\"text\":\"a\",\"count\":\"a\"}}");

    assertThat(List.of(byRule, byPolicy, byError))
        .allSatisfy(reply -> assertThat(reply.eventNames()).contains("CallForwarded"));
    assertThat(List.of(byRule, byPolicy, byError))
        .extracting(ObservedCandidateTest::observed)
        .extracting(
            ObservedVerdict::outcome,
            ObservedVerdict::rule,
            ObservedVerdict::policies,
            ObservedVerdict::reason,
            ObservedVerdict::errors)
        .containsExactly(
            tuple(Outcome.WOULD_DENY, 1, null, "rule", null),
            tuple(Outcome.WOULD_DENY, 2, List.of("new"), "policy-forbids", null),
            tuple(
                Outcome.FAILED,
                2,
                null,
                "policy-error",
                List.of("wrong: type error: expected long, got string")));
    assertThat(node.counted("gatebook_observed_failures"))
        .containsEntry("gatebook_observed_failures_total{reason=\"policy-error\"}", 1.0);
    assertThat(byError.response().toString()).doesNotContain("wrong");
    assertThat(recorded(node, RulesObserved.class)).isZero();
  }

  @Test
  void aFileHasOneCandidate() throws IOException {
    WatchedNode node = NODES.own(folder(candidate("echo", "deny")), RULES);
    String both = RULES.replace("action: forward}", "action: forward, mode: observe}");

    JsonNode check =
        node.alice()
            .operator("rules.check", "{\"text\":%s}".formatted(JsonStrings.quoted(both)))
            .result();

    assertThat(check.at("/mistakes/0/line").asInt()).isEqualTo(6);
    assertThat(check.at("/mistakes/0/message").asText()).contains("mode observe makes another");
  }
}
