package gatebook.command.policy;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.policy.PolicyReading.Compiled;
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

final class CachedDecisionsTest {

  private static final Instant AT = Instant.parse("2026-03-01T15:04:05Z");
  private static final Principal ANN = new Principal("ann", List.of("dev"), Map.of("team", "a"));
  private static final PolicyQuestion QUESTION =
      new PolicyQuestion(ANN, "tools/call", true, "pay", "bank", "{\"amount\":1}", "p", AT);

  private static final String POLICIES =
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
  void anEqualQuestionAtAnotherTimeIsCached() {
    CedarPolicies cedarPolicies = policies(POLICIES, 100);

    Ruling.Policy first = cedarPolicies.decide(QUESTION, System::nanoTime);
    Ruling.Policy second = cedarPolicies.decide(at(AT.plusSeconds(3_600)), System::nanoTime);

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

  static Stream<PolicyQuestion> others() {
    Principal bob = new Principal("bob", ANN.roles(), ANN.attributes());
    Principal role = new Principal("ann", List.of("ops"), ANN.attributes());
    Principal team = new Principal("ann", ANN.roles(), Map.of("team", "b"));
    return Stream.of(
        question(bob, "tools/call", true, "pay", "bank", "{\"amount\":1}", "p"),
        question(role, "tools/call", true, "pay", "bank", "{\"amount\":1}", "p"),
        question(team, "tools/call", true, "pay", "bank", "{\"amount\":1}", "p"),
        question(ANN, "tools/list", true, "pay", "bank", "{\"amount\":1}", "p"),
        question(ANN, "tools/call", false, "pay", "bank", "{\"amount\":1}", "p"),
        question(ANN, "tools/call", true, "ship", "bank", "{\"amount\":1}", "p"),
        question(ANN, "tools/call", true, "pay", "shop", "{\"amount\":1}", "p"),
        question(ANN, "tools/call", true, "pay", "bank", "{\"amount\":2}", "p"),
        question(ANN, "tools/call", true, "pay", "bank", null, "p"),
        question(ANN, "tools/call", true, "pay", "bank", "{\"amount\":1}", "none"));
  }

  @ParameterizedTest
  @MethodSource("others")
  void aQuestionThatDiffersOtherwiseIsNotCached(PolicyQuestion other) {
    CedarPolicies cedarPolicies = policies(POLICIES, 100);
    cedarPolicies.decide(QUESTION, System::nanoTime);

    assertThat(cedarPolicies.decide(other, System::nanoTime).cached()).isFalse();
    assertThat(cedarPolicies.decide(QUESTION, System::nanoTime).cached()).isTrue();
  }

  @Test
  void argumentsWithEqualHashesAreDecidedSeparately() {
    CedarPolicies cedarPolicies =
        policies("permit(principal, action, resource) when { resource.arguments has Aa };", 100);
    assertThat("{\"Aa\":1}").hasSameHashCodeAs("{\"BB\":1}");

    assertThat(cedarPolicies.decide(paying("{\"Aa\":1}"), System::nanoTime).verdict())
        .isEqualTo(new Verdict.Pass());
    assertThat(cedarPolicies.decide(paying("{\"BB\":1}"), System::nanoTime).verdict())
        .isInstanceOf(Verdict.Deny.class);
  }

  @Test
  void cachesOfDifferentPoliciesAreSeparate() {
    CedarPolicies permitting = policies("permit(principal, action, resource);", 100);
    CedarPolicies forbidding = policies("forbid(principal, action, resource);", 100);

    permitting.decide(QUESTION, System::nanoTime);

    assertThat(forbidding.decide(QUESTION, System::nanoTime).verdict())
        .isInstanceOf(Verdict.Deny.class);
    assertThat(permitting.decide(QUESTION, System::nanoTime).verdict())
        .isEqualTo(new Verdict.Pass());
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
  void nothingIsCachedWhenPoliciesReadTheTime(String condition) {
    CedarPolicies cedarPolicies =
        policies("permit(principal, action, resource) " + condition + ";", 100);

    assertThat(cedarPolicies.decide(QUESTION, System::nanoTime).verdict())
        .isEqualTo(new Verdict.Pass());
    Ruling.Policy later = cedarPolicies.decide(at(AT.plusSeconds(7_200)), System::nanoTime);
    assertThat(later.verdict()).isInstanceOf(Verdict.Deny.class);
    assertThat(later.cached()).isFalse();
  }

  @Test
  void errorsAreNeverCached() {
    CedarPolicies cedarPolicies =
        policies("permit(principal, action, resource) when { resource.arguments.none };", 100);

    cedarPolicies.decide(QUESTION, System::nanoTime);

    assertThat(cedarPolicies.decide(QUESTION, System::nanoTime).cached()).isFalse();
    assertThat(cedarPolicies.decide(paying("[]"), System::nanoTime).cached()).isFalse();
    assertThat(cedarPolicies.decide(paying("[]"), System::nanoTime).cached()).isFalse();
  }

  @Test
  void longQuestionsAreNotCached() {
    CedarPolicies cedarPolicies = policies(POLICIES, 100);
    int rest = "tools/call".length() + "pay".length() + "{\"s\":\"\"}".length();
    PolicyQuestion longest = paying("{\"s\":\"%s\"}".formatted("x".repeat(2_048 - rest)));
    PolicyQuestion longer = paying("{\"s\":\"%s\"}".formatted("x".repeat(2_049 - rest)));

    cedarPolicies.decide(longest, System::nanoTime);
    cedarPolicies.decide(longer, System::nanoTime);

    assertThat(cedarPolicies.decide(longest, System::nanoTime).cached()).isTrue();
    assertThat(cedarPolicies.decide(longer, System::nanoTime).cached()).isFalse();
  }

  @Test
  void theCacheIsBoundedAndKeepsFrequentEntries() {
    DecisionCache<Integer, Integer> decisionCache = new DecisionCache<>(10);

    for (int i = 0; i < 100; i++) {
      decisionCache.put(i, i);
      decisionCache.get(0);
    }

    assertThat(decisionCache.size()).isLessThanOrEqualTo(10);
    assertThat(decisionCache.get(0)).isZero();
    assertThat(decisionCache.get(99)).isEqualTo(99);
    assertThat(decisionCache.get(50)).isNull();
  }

  @Test
  void aCapacityOfZeroCachesNothing() {
    CedarPolicies cedarPolicies = policies(POLICIES, 0);

    cedarPolicies.decide(QUESTION, System::nanoTime);

    assertThat(cedarPolicies.decide(QUESTION, System::nanoTime).cached()).isFalse();
  }

  @Test
  void cachedDecisionsEqualTheEnginesDecisions() throws Exception {
    CedarPolicies caching = policies(POLICIES, 64);
    CedarPolicies uncached = policies(POLICIES, 0);
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<Integer>> hits = new ArrayList<>();
      for (int seed = 0; seed < 4; seed++) {
        Random random = new Random(seed);
        hits.add(threads.submit(() -> compare(caching, uncached, random)));
      }
      for (Future<Integer> count : hits) {
        assertThat(count.get()).isPositive();
      }
    }
  }

  /** Returns the number of cache hits. */
  private static int compare(CedarPolicies caching, CedarPolicies uncached, Random random) {
    int hits = 0;
    for (int i = 0; i < 2_500; i++) {
      PolicyQuestion policyQuestion = random(random);
      Ruling.Policy one = caching.decide(policyQuestion, System::nanoTime);
      Ruling.Policy other = uncached.decide(policyQuestion, System::nanoTime);
      hits += one.cached() ? 1 : 0;
      assertThat(List.of(one.verdict(), one.reasons(), one.errors()))
          .isEqualTo(List.of(other.verdict(), other.reasons(), other.errors()));
    }
    return hits;
  }

  private static PolicyQuestion random(Random random) {
    Principal principal =
        new Principal(
            random.nextBoolean() ? "ann" : "bob",
            random.nextBoolean() ? List.of("dev") : List.of("ops", "qa"),
            random.nextBoolean() ? Map.of() : Map.of("team", random.nextBoolean() ? "a" : "b"));
    boolean tool = random.nextBoolean();
    String arguments = random.nextBoolean() ? null : "{\"amount\":%d}".formatted(random.nextInt(8));
    return new PolicyQuestion(
        principal,
        tool ? "tools/call" : "resources/read",
        tool,
        random.nextBoolean() ? "pay" : "file:x",
        random.nextBoolean() ? "bank" : "shop",
        arguments,
        random.nextBoolean() ? "p" : "none",
        AT.plusSeconds(random.nextInt(100_000)));
  }

  private static PolicyQuestion at(Instant at) {
    return new PolicyQuestion(ANN, "tools/call", true, "pay", "bank", "{\"amount\":1}", "p", at);
  }

  private static PolicyQuestion paying(String arguments) {
    return question(ANN, "tools/call", true, "pay", "bank", arguments, "p");
  }

  private static PolicyQuestion question(
      Principal principal,
      String method,
      boolean tool,
      String name,
      String source,
      @Nullable String arguments,
      String policyId) {
    return new PolicyQuestion(principal, method, tool, name, source, arguments, policyId, AT);
  }

  private static CedarPolicies policies(String text, int decisionsMax) {
    List<PolicyFile> files = List.of(new PolicyFile("a.cedar", text));
    return ((Compiled) CedarPolicies.compile(files, null, decisionsMax)).policies();
  }
}
