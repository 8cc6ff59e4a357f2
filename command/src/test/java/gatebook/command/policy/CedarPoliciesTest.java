package gatebook.command.policy;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.policy.PolicyReading.Compiled;
import gatebook.command.policy.PolicyReading.Invalid;
import gatebook.events.RulesRejected.Mistake;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Principal;
import gatebook.events.call.Ruling;
import gatebook.events.call.Verdict;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CedarPoliciesTest {

  private static final String PERMIT_ALL =
      """
      @id("all")
      permit(principal, action, resource);
      """;

  @Test
  void aPermittedQuestionPasses() {
    Ruling.Policy ruling = compiled(PERMIT_ALL).decide(pay("{\"amount\":1}"), System::nanoTime);

    assertThat(ruling)
        .isEqualTo(
            new Ruling.Policy(
                new Verdict.Pass(),
                "p",
                List.of("all"),
                List.of(),
                "cedar-java 4.10.0",
                false,
                ruling.tookMicros()));
  }

  @Test
  void aQuestionThatNoPolicyPermitsIsDenied() {
    assertThat(answer(CedarPolicies.NONE, pay("{}"))).isEqualTo(PolicyAnswer.NOTHING_PERMITS);
    assertThat(answer(compiled("permit(principal, action, resource) when { false };"), pay("{}")))
        .isEqualTo(PolicyAnswer.NOTHING_PERMITS);
  }

  @Test
  void aForbidOverridesPermitsAndIsNamedByPosition() {
    CedarPolicies cedarPolicies =
        compiled(
            PERMIT_ALL
                + "\nforbid(principal, action, resource); forbid(principal, action, resource);");

    assertThat(answer(cedarPolicies, pay("{}")))
        .isEqualTo(
            new PolicyAnswer(
                new Verdict.Deny(DenialReason.POLICY_FORBIDS, null),
                List.of("a.cedar:4", "a.cedar:4:38"),
                List.of()));
  }

  @Test
  void aPolicyThatCannotBeEvaluatedDenies() {
    CedarPolicies cedarPolicies =
        compiled(
            PERMIT_ALL
                + """
                @id("big")
                forbid(principal, action, resource) when { resource.arguments.amount > 5 };
                """);

    assertThat(answer(cedarPolicies, pay("{}")))
        .isEqualTo(
            new PolicyAnswer(
                new Verdict.Deny(DenialReason.POLICY_ERROR, null),
                List.of("all"),
                List.of("big: does not have the attribute `amount`")));
    assertThat(answer(cedarPolicies, pay("{\"amount\":\"secret\"}")))
        .isEqualTo(
            new PolicyAnswer(
                new Verdict.Deny(DenialReason.POLICY_ERROR, null),
                List.of("all"),
                List.of("big: type error: expected long, got string")));
  }

  @Test
  void errorsQuoteNoValues() {
    CedarPolicies cedarPolicies =
        compiled(
            """
            @id("net")
            permit(principal, action, resource) when { ip(resource.arguments.host).isLoopback() };
            @id("sum")
            permit(principal, action, resource)
              when { resource.arguments.amount + 9223372036854775807 > 0 };
            """);

    assertThat(
            cedarPolicies
                .decide(
                    pay(
                        """
                        {"host":"hunter2","amount":4711}\
                        """),
                    System::nanoTime)
                .errors())
        .containsExactly("net: an expression could not be evaluated", "sum: integer overflow");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "principal == ThoughtGate::App::\"ann\"",
        "principal in ThoughtGate::Role::\"dev\"",
        "principal.name == \"ann\"",
        "principal.namespace == \"\"",
        "principal.service_account == \"sa\"",
        "principal.team == \"blue\"",
        "ThoughtGate::Role::\"dev\".name == \"dev\"",
        "action == ThoughtGate::Action::\"tools/call\"",
        "resource == ThoughtGate::ToolCall::\"pay\"",
        "resource.name == \"pay\"",
        "resource.server == \"bank\"",
        "resource.arguments.amount == 3",
        "resource.arguments.to.name like \"b*\"",
        "resource.arguments.tags.contains(\"x\")",
        "resource.arguments.note == {}",
        "context.policy_id == \"p\"",
        "context.source_id == \"bank\"",
        "context.time.hour == 15",
        "context.time.day_of_week == 0",
        "context.time.timestamp == 1772377445",
      })
  void policiesSeePrincipalActionResourceAndContext(String condition) {
    String arguments =
        """
        {"amount":3,"to":{"name":"bob"},"tags":["x"],"note":null}\
        """;
    CedarPolicies cedarPolicies =
        compiled("permit(principal, action, resource) when { " + condition + " };");

    assertThat(cedarPolicies.decide(pay(arguments), System::nanoTime).verdict())
        .isEqualTo(new Verdict.Pass());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "action == ThoughtGate::Action::\"mcp/method\"",
        "resource == ThoughtGate::McpMethod::\"resources/read\"",
        "resource.method == \"resources/read\"",
        "resource.server == \"bank\"",
        "resource.name == \"file:///x\"",
      })
  void policiesSeeTheTargetOfOtherMethods(String condition) {
    CedarPolicies cedarPolicies =
        compiled("permit(principal, action, resource) when { " + condition + " };");
    PolicyQuestion read =
        new PolicyQuestion(ANN, "resources/read", false, "file:///x", "bank", null, "p", SUNDAY);

    assertThat(cedarPolicies.decide(read, System::nanoTime).verdict())
        .isEqualTo(new Verdict.Pass());
  }

  @Test
  void anAttributeCannotOverrideThePrincipalsName() {
    CedarPolicies cedarPolicies =
        compiled("permit(principal, action, resource) when { principal.name == \"root\" };");
    Principal ann = new Principal("ann", List.of(), Map.of("name", "root"));
    PolicyQuestion policyQuestion =
        new PolicyQuestion(ann, "tools/call", true, "pay", "bank", null, "p", SUNDAY);

    assertThat(answer(cedarPolicies, policyQuestion)).isEqualTo(PolicyAnswer.NOTHING_PERMITS);
  }

  @Test
  void mistakesOfAllFilesAreReportedWithPositions() {
    PolicyFile a =
        new PolicyFile(
            "a.cedar",
            """
            // é
            permit(principal, action, resource)
              when { "é𝄞" == };
            permit(principal, action, resource) when { "; // no end" };
            """);
    PolicyFile b =
        new PolicyFile(
            "b.cedar",
            """
            forbid(principal;
            permit(principal == ?principal, action, resource); // here; "nothing"
            permit\
            """);
    PolicyFile schema = new PolicyFile("s.cedarschema", "entity A {\n  x: Foo\n};");

    assertThat(CedarPolicies.compile(List.of(a, b), schema))
        .isInstanceOfSatisfying(
            Invalid.class,
            invalid ->
                assertThat(invalid.mistakes())
                    .extracting(CedarPoliciesTest::beginning)
                    .containsExactly(
                        "s.cedarschema 2:6 failed to resolve type",
                        "a.cedar 3:18 unexpected token `}`",
                        "b.cedar 1:17 unexpected token `;`",
                        "b.cedar 2:21 expected a static policy, got a template containing the slot"
                            + " ?principal",
                        "b.cedar 3:7 unexpected end of input"));
  }

  @Test
  void twoPoliciesWithOneIdAreAMistake() {
    PolicyFile file = new PolicyFile("a.cedar", PERMIT_ALL + PERMIT_ALL);

    assertThat(CedarPolicies.compile(List.of(file), null))
        .isEqualTo(
            new Invalid(
                List.of(
                    new Mistake(
                        "a.cedar",
                        3,
                        1,
                        "the id \"all\" is taken by the policy in a.cedar, line 1"))));
  }

  @ParameterizedTest
  @CsvSource({"99,true", "100,false"})
  void deepNestingNeverReachesTheEngine(int parentheses, boolean fine) {
    String nested = "(".repeat(parentheses) + "true" + ")".repeat(parentheses);

    assertThat(isFine("permit(principal, action, resource) when { " + nested + " };"))
        .isEqualTo(fine);
  }

  @ParameterizedTest
  @ValueSource(strings = {" && true", " + 1 == 1", ".a"})
  void aChainOfOperatorsHasALimit(String link) {
    int operators = link.contains("&&") ? 2 : 1;
    int links = PolicySplitter.OPERATORS_MAX / operators;

    String policy = "permit(principal, action, resource) when { %s%s };";
    if (!link.contains("==")) {
      assertThat(isFine(policy.formatted("context", link.repeat(links)))).isTrue();
    }
    assertThat(isFine(policy.formatted("context", link.repeat(links + 1)))).isFalse();
  }

  @Test
  void ifsNestAsDeepAsOperatorsAreAllowed() {
    int ifs = PolicySplitter.OPERATORS_MAX;
    String nested = "if true then ".repeat(ifs) + "true" + " else false".repeat(ifs);

    assertThat(isFine("permit(principal, action, resource) when { " + nested + " };")).isTrue();
  }

  /** The mistake without what the engine expected, which follows a colon. */
  private static String beginning(Mistake mistake) {
    return "%s %d:%d %s"
        .formatted(
            mistake.file(),
            mistake.line(),
            mistake.column(),
            mistake.message().substring(0, mistake.message().indexOf(':')));
  }

  private static boolean isFine(String policy) {
    return CedarPolicies.compile(List.of(new PolicyFile("a.cedar", policy)), null)
        instanceof Compiled;
  }

  private static final Instant SUNDAY = Instant.parse("2026-03-01T15:04:05Z");
  private static final Principal ANN =
      new Principal("ann", List.of("dev"), Map.of("team", "blue", "service_account", "sa"));

  static CedarPolicies compiled(String text) {
    PolicyReading policyReading =
        CedarPolicies.compile(List.of(new PolicyFile("a.cedar", text)), null);
    assertThat(policyReading).isInstanceOf(Compiled.class);
    return ((Compiled) policyReading).policies();
  }

  static PolicyAnswer answer(CedarPolicies cedarPolicies, PolicyQuestion policyQuestion) {
    Ruling.Policy ruling = cedarPolicies.decide(policyQuestion, System::nanoTime);
    return new PolicyAnswer(ruling.verdict(), ruling.reasons(), ruling.errors());
  }

  static PolicyQuestion pay(String arguments) {
    return new PolicyQuestion(ANN, "tools/call", true, "pay", "bank", arguments, "p", SUNDAY);
  }
}
