package gatebook.command.policy;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.policy.PolicyReading.Compiled;
import gatebook.command.policy.check.ToolSchema;
import gatebook.events.RulesRejected.Mistake;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PolicyWarningsTest {

  private static final ToolSchema PAY =
      new ToolSchema(
          "bank",
          "pay",
          """
          {"type": "object", "required": ["amount", "to"], "properties": {
            "amount": {"type": "integer"},
            "note": {"type": "string"},
            "to": {"type": "object", "required": ["iban"], "properties": {
              "iban": {"type": "string"}, "tags": {"type": "array"}}}}}
          """);
  private static final ToolSchema SHIP =
      new ToolSchema(
          "shop",
          "ship",
          """
          {"type": "object", "properties": {
            "amount": {"type": "string"},
            "open": {"type": "object", "additionalProperties": true, "properties": {}}}}
          """);
  private static final ToolSchema VAGUE =
      new ToolSchema(
          "shop",
          "vague",
          """
          {"type": "object", "$ref": "#/$defs/x"}\
          """);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "resource.arguments has amount && resource.arguments.amount > 5",
        "resource.arguments has note && resource.arguments.note like \"a*\"",
        "resource.arguments has a.b && resource.arguments.a.b == true",
        "resource.arguments has tags && resource.arguments.tags.contains(5)",
        "resource.arguments has tags && resource.arguments.tags.containsAny([5])",
        "resource.arguments has at && resource.arguments.at == context.time.hour",
        "!(resource.arguments has amount) || resource.arguments.amount < 5",
        "if resource.arguments has x then resource.arguments.x else false",
        "principal has team && principal.team == \"blue\"",
        "context.policy_id == \"p\" && context.time.hour > 5 && principal.name != \"\"",
      })
  void openAttributesMayBeReadWithAGuard(String condition) {
    assertThat(warnings(policy(condition), null)).isEmpty();
  }

  @Test
  void engineWarningsHavePositions() {
    String text =
        """
        // first
        permit(principal, action == ThoughtGate::Action::"tools/call", resource)
          when { resource.arguments.amount > 5 };
        permit(principal, action == ThoughtGate::Action::"Forward", resource);
        permit(principal, action, resource)
          when { "é" != context.policy && context.time.hour == "noon" };
        """;

    assertThat(warnings(text, null))
        .extracting(PolicyWarningsTest::place)
        .containsExactly(
            "a.cedar 3:10 unable to guarantee safety of access to optional attribute"
                + " `arguments.amount` on entity type `ThoughtGate",
            "a.cedar 4:1 unable to find an applicable action given the policy scope constraints",
            "a.cedar 4:1 policy is impossible",
            "a.cedar 4:29 unrecognized action `ThoughtGate",
            "a.cedar 6:17 attribute `policy` in context for ThoughtGate",
            "a.cedar 6:17 attribute `policy` in context for ThoughtGate",
            "a.cedar 6:35 the types Long and String are not compatible");
  }

  @Test
  void policiesAreValidatedAgainstTheConfiguredSchema() {
    String schema =
        """
        namespace ThoughtGate {
          entity App; entity ToolCall { arguments: { amount: Long } };
          action "tools/call" appliesTo { principal: App, resource: ToolCall };
        }
        """;

    assertThat(warnings(policy("resource.arguments.amount > 5"), schema)).isEmpty();
    assertThat(warnings(policy("resource.arguments.amount like \"5\""), schema))
        .extracting(PolicyWarningsTest::place)
        .containsExactly("a.cedar 1:81 unexpected type");
  }

  @Test
  void anUndeclaredArgumentIsReported() {
    String text = policy("resource.arguments has to &&\n resource.arguments.to.ibam == \"x\"");

    assertThat(toolWarnings(text, PAY))
        .containsExactly(
            new Mistake(
                "a.cedar",
                2,
                2,
                "`resource.arguments.to.ibam` is declared by no tool that the policy applies to:"
                    + " `pay` of `bank`"));
  }

  @Test
  void anArgumentOfAnotherTypeIsReported() {
    assertThat(toolWarnings(policy("resource.arguments.to.iban > 5"), PAY))
        .extracting(PolicyWarningsTest::place)
        .containsExactly(
            "a.cedar 1:81 `resource.arguments.to.iban` is used as a number, and declared"
                + " otherwise by `pay` of `bank`");
    assertThat(toolWarnings(policy("resource.arguments[\"amount\"] == \"5\""), PAY))
        .extracting(PolicyWarningsTest::place)
        .containsExactly(
            "a.cedar 1:81 `resource.arguments.amount` is used as a string, and declared"
                + " otherwise by `pay` of `bank`");
  }

  @Test
  void anOptionalArgumentNeedsAGuard() {
    assertThat(toolWarnings(policy("resource.arguments.note == \"x\""), PAY))
        .extracting(PolicyWarningsTest::place)
        .containsExactly(
            "a.cedar 1:81 `resource.arguments.note` is read without `has`, so a call without it is"
                + " denied; it is not required by `pay` of `bank`");
    assertThat(toolWarnings(policy("resource.arguments.amount == 5"), PAY)).isEmpty();
    assertThat(
            toolWarnings(
                policy("resource.arguments has note && resource.arguments.note == \"x\""), PAY))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // a tool declares it with the type that is used
        "resource.arguments has amount && resource.arguments.amount > 5",
        // an unknown tool
        "resource.name == \"other\" && resource.arguments.nothing > 5",
        "[\"other\"].contains(resource.name) && resource.arguments.nothing > 5",
        "resource.server == \"elsewhere\" && resource.arguments.nothing > 5",
        "resource == ThoughtGate::ToolCall::\"other\" && resource.arguments.nothing > 5",
        "if resource.name == \"other\" then resource.arguments.nothing > 5 else true",
        "!(resource.name == \"other\") || resource.arguments.nothing > 5",
        "resource.name != \"pay\" || resource.arguments.to.iban like \"DE*\"",
        // a schema that allows other arguments
        "resource.name == \"vague\" && resource.arguments.nothing > 5",
        "resource.arguments has open && resource.arguments.open has x.y",
        // all arguments
        "resource.arguments == {}",
      })
  void uncertainMistakesAreNotReported(String condition) {
    assertThat(toolWarnings(policy(condition), PAY, SHIP, VAGUE)).isEmpty();
  }

  private static String policy(String condition) {
    return "permit(principal, action == ThoughtGate::Action::\"tools/call\", resource) when { "
        + condition
        + " };";
  }

  private static List<Mistake> warnings(String text, @Nullable String schema) {
    return compiled(text, schema).warnings();
  }

  private static List<Mistake> toolWarnings(String text, ToolSchema... tools) {
    return compiled(text, null).policies().warningsFor(List.of(tools));
  }

  private static Compiled compiled(String text, @Nullable String schema) {
    PolicyFile file = schema == null ? null : new PolicyFile("s.cedarschema", schema);
    PolicyReading policyReading =
        CedarPolicies.compile(List.of(new PolicyFile("a.cedar", text)), file);
    assertThat(policyReading).isInstanceOf(Compiled.class);
    return (Compiled) policyReading;
  }

  private static String place(Mistake mistake) {
    int end = mistake.message().indexOf(':');
    return "%s %d:%d %s"
        .formatted(
            mistake.file(),
            mistake.line(),
            mistake.column(),
            end < 0 ? mistake.message() : mistake.message().substring(0, end));
  }
}
