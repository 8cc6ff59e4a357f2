package gatebook.command.policy;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.policy.Reading.Compiled;
import gatebook.events.call.Principal;
import gatebook.events.call.Ruling;
import gatebook.events.call.Verdict;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class KeptDecisionsTest {

  private static final Instant AT = Instant.parse("2026-03-01T15:04:05Z");
  private static final Principal ANN = new Principal("ann", List.of("dev"), Map.of("team", "a"));
  private static final Question ASKED =
      new Question(ANN, "tools/call", true, "pay", "bank", "{\"amount\":1}", "p", AT);

  private static final String RULES =
      """
      @id("small")
      permit(principal in ThoughtGate::Role::"dev", action, resource is ThoughtGate::ToolCall)
        when { resource.arguments has amount && resource.arguments.amount < 5 };
      @id("read")
      permit(principal, action == ThoughtGate::Action::"mcp/method", resource)
        when { resource.name like "file:*" && resource.method == "resources/read" };
      @id("not-b")
      forbid(principal, action, resource) when { principal has team && principal.team == "b" };
      @id("source")
      forbid(principal, action, resource)
        when { context.source_id == "shop" || context.policy_id == "none" };
      """;

  @Test
  void theSameQuestionIsAnsweredAgainWithoutTheEngineAtAnyTime() {
    Policies policies = policies(RULES, 100);

    Ruling.Policy first = policies.decide(ASKED);
    Ruling.Policy second = policies.decide(at(AT.plusSeconds(3_600)));

    assertThat(first.cached()).isFalse();
    assertThat(second)
        .isEqualTo(
            new Ruling.Policy(
                new Verdict.Pass(),
                "p",
                List.of("small"),
                List.of(),
                first.engineVersion(),
                true,
                second.tookMicros()));
  }

  static Stream<Question> others() {
    Principal bob = new Principal("bob", ANN.roles(), ANN.attributes());
    Principal role = new Principal("ann", List.of("ops"), ANN.attributes());
    Principal team = new Principal("ann", ANN.roles(), Map.of("team", "b"));
    return Stream.of(
        asked(bob, "tools/call", true, "pay", "bank", "{\"amount\":1}", "p"),
        asked(role, "tools/call", true, "pay", "bank", "{\"amount\":1}", "p"),
        asked(team, "tools/call", true, "pay", "bank", "{\"amount\":1}", "p"),
        asked(ANN, "tools/list", true, "pay", "bank", "{\"amount\":1}", "p"),
        asked(ANN, "tools/call", false, "pay", "bank", "{\"amount\":1}", "p"),
        asked(ANN, "tools/call", true, "ship", "bank", "{\"amount\":1}", "p"),
        asked(ANN, "tools/call", true, "pay", "shop", "{\"amount\":1}", "p"),
        asked(ANN, "tools/call", true, "pay", "bank", "{\"amount\":2}", "p"),
        asked(ANN, "tools/call", true, "pay", "bank", null, "p"),
        asked(ANN, "tools/call", true, "pay", "bank", "{\"amount\":1}", "none"));
  }

  @ParameterizedTest
  @MethodSource("others")
  void aQuestionThatDiffersInAnythingButTheTimeIsAnother(Question other) {
    Policies policies = policies(RULES, 100);
    policies.decide(ASKED);

    assertThat(policies.decide(other).cached()).isFalse();
    assertThat(policies.decide(ASKED).cached()).isTrue();
  }

  @Test
  void argumentsWhoseHashesAreEqualAreStillDifferent() {
    Policies policies =
        policies("permit(principal, action, resource) when { resource.arguments has Aa };", 100);
    assertThat("{\"Aa\":1}").hasSameHashCodeAs("{\"BB\":1}");

    assertThat(policies.decide(paying("{\"Aa\":1}")).verdict()).isEqualTo(new Verdict.Pass());
    assertThat(policies.decide(paying("{\"BB\":1}")).verdict()).isInstanceOf(Verdict.Deny.class);
  }

  @Test
  void otherRulesHaveDecisionsOfTheirOwn() {
    Policies permitting = policies("permit(principal, action, resource);", 100);
    Policies forbidding = policies("forbid(principal, action, resource);", 100);

    permitting.decide(ASKED);

    assertThat(forbidding.decide(ASKED).verdict()).isInstanceOf(Verdict.Deny.class);
    assertThat(permitting.decide(ASKED).verdict()).isEqualTo(new Verdict.Pass());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "when { context.time.hour < 16 }",
        "when { context[\"time\"][\"hour\"] < 16 }",
        "when { context has time && context.time.hour < 16 }",
        "when { context has time.hour && 16 > context.time.hour }",
        "unless { context.time.hour >= 16 }",
        "when { {\"c\": context}.c.time.hour < 16 }",
        "when { (if true then context else context).time.hour < 16 }",
        "when { [context].contains(context) && context.time.timestamp < 1772380000 }",
        "when { true } unless { false } when { context.time == context.time && context.time.hour <"
            + " 16 }",
      })
  void nothingIsKeptWherePoliciesReadTheTime(String condition) {
    Policies policies = policies("permit(principal, action, resource) " + condition + ";", 100);

    assertThat(policies.decide(ASKED).verdict()).isEqualTo(new Verdict.Pass());
    Ruling.Policy later = policies.decide(at(AT.plusSeconds(7_200)));
    assertThat(later.verdict()).isInstanceOf(Verdict.Deny.class);
    assertThat(later.cached()).isFalse();
  }

  @Test
  void errorsAreNeverKept() {
    Policies policies =
        policies("permit(principal, action, resource) when { resource.arguments.none };", 100);

    policies.decide(ASKED);

    assertThat(policies.decide(ASKED).cached()).isFalse();
    assertThat(policies.decide(paying("[]")).cached()).isFalse();
    assertThat(policies.decide(paying("[]")).cached()).isFalse();
  }

  @Test
  void questionsBeyondALengthAreNotKept() {
    Policies policies = policies(RULES, 100);
    int rest = "tools/call".length() + "pay".length() + "{\"s\":\"\"}".length();
    Question longest = paying("{\"s\":\"%s\"}".formatted("x".repeat(2_048 - rest)));
    Question longer = paying("{\"s\":\"%s\"}".formatted("x".repeat(2_049 - rest)));

    policies.decide(longest);
    policies.decide(longer);

    assertThat(policies.decide(longest).cached()).isTrue();
    assertThat(policies.decide(longer).cached()).isFalse();
  }

  @Test
  void onlySoManyAreKeptAndThoseAskedOftenStay() {
    Decisions<Integer, Integer> decisions = new Decisions<>(10);

    for (int i = 0; i < 100; i++) {
      decisions.keep(i, i);
      decisions.find(0);
    }

    assertThat(decisions.size()).isLessThanOrEqualTo(10);
    assertThat(decisions.find(0)).isZero();
    assertThat(decisions.find(99)).isEqualTo(99);
    assertThat(decisions.find(50)).isNull();
  }

  @Test
  void noneIsKeptWhereNoneMayBe() {
    Policies policies = policies(RULES, 0);

    policies.decide(ASKED);

    assertThat(policies.decide(ASKED).cached()).isFalse();
  }

  @Test
  void keptDecisionsAreThoseTheEngineTakesWhoeverAsks() throws Exception {
    Policies keeping = policies(RULES, 64);
    Policies asking = policies(RULES, 0);
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<Integer>> kept = new ArrayList<>();
      for (int seed = 0; seed < 4; seed++) {
        Random random = new Random(seed);
        kept.add(threads.submit(() -> compare(keeping, asking, random)));
      }
      for (Future<Integer> count : kept) {
        assertThat(count.get()).isPositive();
      }
    }
  }

  private static int compare(Policies keeping, Policies asking, Random random) {
    int kept = 0;
    for (int i = 0; i < 2_500; i++) {
      Question question = random(random);
      Ruling.Policy one = keeping.decide(question);
      Ruling.Policy other = asking.decide(question);
      kept += one.cached() ? 1 : 0;
      assertThat(List.of(one.verdict(), one.reasons(), one.errors()))
          .isEqualTo(List.of(other.verdict(), other.reasons(), other.errors()));
    }
    return kept;
  }

  private static Question random(Random random) {
    Principal principal =
        new Principal(
            random.nextBoolean() ? "ann" : "bob",
            random.nextBoolean() ? List.of("dev") : List.of("ops", "qa"),
            random.nextBoolean() ? Map.of() : Map.of("team", random.nextBoolean() ? "a" : "b"));
    boolean tool = random.nextBoolean();
    String arguments = random.nextBoolean() ? null : "{\"amount\":%d}".formatted(random.nextInt(8));
    return new Question(
        principal,
        tool ? "tools/call" : "resources/read",
        tool,
        random.nextBoolean() ? "pay" : "file:x",
        random.nextBoolean() ? "bank" : "shop",
        arguments,
        random.nextBoolean() ? "p" : "none",
        AT.plusSeconds(random.nextInt(100_000)));
  }

  private static Question at(Instant at) {
    return new Question(ANN, "tools/call", true, "pay", "bank", "{\"amount\":1}", "p", at);
  }

  private static Question paying(String arguments) {
    return asked(ANN, "tools/call", true, "pay", "bank", arguments, "p");
  }

  private static Question asked(
      Principal principal,
      String method,
      boolean tool,
      String name,
      String source,
      @Nullable String arguments,
      String policyId) {
    return new Question(principal, method, tool, name, source, arguments, policyId, AT);
  }

  private static Policies policies(String text, int decisionsMax) {
    List<PolicyFile> files = List.of(new PolicyFile("a.cedar", text));
    return ((Compiled) Policies.compile(files, null, decisionsMax)).policies();
  }
}
