package gatebook.command.policy;

import static org.assertj.core.api.Assertions.assertThat;

import com.cedarpolicy.model.entity.Entity;
import com.cedarpolicy.model.policy.Policy;
import com.cedarpolicy.model.policy.PolicySet;
import com.cedarpolicy.value.CedarMap;
import com.fasterxml.jackson.databind.ObjectMapper;
import gatebook.command.policy.PolicyReading.Compiled;
import gatebook.command.policy.check.QuestionParts;
import gatebook.events.Proof;
import gatebook.events.call.Principal;
import gatebook.events.call.Ruling;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class QuestionPartsTest {

  private static final Instant AT = Instant.parse("2026-03-01T15:04:05Z");
  private static final Principal ANN =
      new Principal("ann", List.of("dev"), Map.of("team", "a", "service_account", "sa"));
  private static final PolicyQuestion QUESTION =
      new PolicyQuestion(
          ANN, "tools/call", true, "pay", "bank", "{\"amount\":1,\"to\":{\"n\":\"x\"}}", "p", AT);

  private static final Set<String> EVERYTHING =
      Set.of(
          "context.policy_id",
          "context.source_id",
          "context.time",
          "App.name",
          "App.namespace",
          "App.service_account",
          "App.team",
          "Role.name",
          "ToolCall.name",
          "ToolCall.server",
          "ToolCall.arguments",
          "arguments.amount",
          "arguments.to");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      emptyValue = "",
      quoteCharacter = '\'',
      value = {
        "true | ''",
        "principal == ThoughtGate::App::\"ann\" | ''",
        "principal in ThoughtGate::Role::\"dev\" && [principal].contains(principal) | ''",
        "action == ThoughtGate::Action::\"tools/call\" && resource is ThoughtGate::ToolCall | ''",
        "principal.team == \"a\" | App.team",
        "principal has name | App.name",
        "resource.server == \"bank\" | ToolCall.server",
        "resource has arguments | ToolCall.arguments",
        "resource.arguments has amount | ToolCall.arguments arguments.amount",
        "resource[\"arguments\"][\"amount\"] < 5 | ToolCall.arguments arguments.amount",
        "resource.arguments.to.n like \"x*\" | ToolCall.arguments arguments.to",
        "resource.arguments has to.n | ToolCall.arguments arguments.to",
        "resource.arguments != {} | ToolCall.arguments arguments.amount arguments.to",
        "context.time.hour < 5 | context.time",
        "context has time.hour | context.time",
        "context.policy_id == context.source_id | context.policy_id context.source_id",
        "{\"c\": context} != {\"d\": 1} | context.policy_id context.source_id context.time",
      })
  void partsThatAreNotReadAreNotSent(String condition, String parts) throws Exception {
    assertThat(sent(condition)).isEqualTo(parts.isEmpty() ? Set.of() : Set.of(parts.split(" ")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ThoughtGate::Role::\"dev\".name == \"dev\"",
        "ThoughtGate::App::\"ann\" has team",
        "{\"a\": resource}.a.name == \"pay\"",
        "(if context has time then principal else principal).team == \"a\"",
        "{\"c\": context}.c.time.hour < 5",
      })
  void everythingIsSentWhenReadsAreUnclear(String condition) throws Exception {
    assertThat(sent(condition)).isEqualTo(EVERYTHING);
  }

  @Test
  void partsThatAreNotSentChangeNoDecision() throws Exception {
    Random random = new Random(22);
    int decided = 0;
    int rounds = Proof.rounds(100, 400);
    for (int i = 0; i < rounds; i++) {
      String text = policies(random);
      if (CedarPolicies.compile(List.of(new PolicyFile("a.cedar", text)), null, 0)
          instanceof Compiled(var policies, var _)) {
        PolicySet set = named(policies);
        for (int j = 0; j < 8; j++) {
          PolicyQuestion question = question(random);
          assertThat(answer(policies, question))
              .as("%s%n%s", text, question)
              .isEqualTo(wholeAnswer(set, question));
          decided++;
        }
      }
    }
    assertThat(decided).isGreaterThan(6 * rounds);
  }

  private static PolicyAnswer answer(CedarPolicies policies, PolicyQuestion question) {
    Ruling.Policy ruling = policies.decide(question, System::nanoTime);
    return new PolicyAnswer(ruling.verdict(), ruling.reasons(), ruling.errors());
  }

  /** The engine's answer when it gets everything. */
  private static PolicyAnswer wholeAnswer(PolicySet set, PolicyQuestion question) throws Exception {
    CedarRequest whole = CedarRequest.of(question, QuestionParts.ALL);
    return PolicyAnswer.of(
        CedarEngine.instance().isAuthorized(whole.request(), set, whole.entities()));
  }

  private static PolicySet named(CedarPolicies policies) {
    Set<Policy> set = new LinkedHashSet<>();
    policies.texts().forEach((id, text) -> set.add(new Policy(text, id)));
    return new PolicySet(set);
  }

  private static Set<String> sent(String condition) throws Exception {
    Policy policy =
        new Policy("permit(principal, action, resource) when {" + condition + "};", "0");
    CedarRequest request =
        CedarRequest.of(
            QUESTION,
            QuestionParts.readBy(
                new ObjectMapper().readTree(new PolicySet(Set.of(policy)).toJson())));
    Set<String> sent = new TreeSet<>();
    request.request().context.orElseThrow().keySet().forEach(name -> sent.add("context." + name));
    for (Entity entity : request.entities()) {
      String type = entity.getEUID().getType().getBaseName();
      entity.attrs.keySet().forEach(name -> sent.add(type + "." + name));
      if (entity.attrs.get("arguments") instanceof CedarMap arguments) {
        arguments.keySet().forEach(name -> sent.add("arguments." + name));
      }
    }
    return sent;
  }

  private static String policies(Random random) {
    StringBuilder policies = new StringBuilder("permit(principal, action, resource);\n");
    for (int i = random.nextInt(4); i >= 0; i--) {
      policies.append(random.nextBoolean() ? "permit" : "forbid");
      policies.append("(principal, action, resource)");
      policies.append(random.nextBoolean() ? " when { " : " unless { ");
      policies.append(condition(random, 3)).append(" };\n");
    }
    return policies.toString();
  }

  private static String condition(Random random, int depth) {
    String one = value(random, depth);
    String other = value(random, depth);
    if (depth == 0) {
      return one + " == " + other;
    }
    return switch (random.nextInt(9)) {
      case 0 -> "(" + condition(random, depth - 1) + " && " + condition(random, depth - 1) + ")";
      case 1 -> "(" + condition(random, depth - 1) + " || " + condition(random, depth - 1) + ")";
      case 2 -> "!(" + condition(random, depth - 1) + ")";
      case 3 -> one + " has " + attribute(random);
      case 4 -> one + " has " + attribute(random) + "." + attribute(random);
      case 5 -> "[" + one + ", " + other + "].contains(" + value(random, depth) + ")";
      case 6 -> one + " in " + other;
      case 7 -> isWhole(List.of(one, "context", "resource.arguments").get(random.nextInt(3)));
      default -> one + " == " + other;
    };
  }

  /** Compares with the whole context and the whole arguments of some questions. */
  private static String isWhole(String record) {
    return """
    [{"amount": 3}, {"policy_id": "p", "source_id": "bank", "time":
      {"hour": 15, "day_of_week": 0, "timestamp": 1772377445}}].contains(%s)\
    """
        .formatted(record);
  }

  private static String value(Random random, int depth) {
    String variable = List.of("principal", "resource", "context", "action").get(random.nextInt(4));
    if (depth == 0) {
      return variable;
    }
    String inner = value(random, depth - 1);
    return switch (random.nextInt(12)) {
      case 0, 1 -> inner + "." + attribute(random);
      case 2, 3 -> inner + "[\"" + attribute(random) + "\"]";
      case 4, 5 -> "resource.arguments." + attribute(random);
      case 6 -> "{\"a\": " + inner + ", \"name\": " + variable + "}";
      case 7 ->
          "(if " + condition(random, depth - 1) + " then " + inner + " else " + variable + ")";
      case 8 -> "ThoughtGate::" + List.of("App::\"ann\"", "Role::\"dev\"").get(random.nextInt(2));
      case 9 -> "[" + inner + "]";
      case 10 -> List.of("\"ann\"", "3", "true", "\"bank\"").get(random.nextInt(4));
      default -> variable;
    };
  }

  private static String attribute(Random random) {
    List<String> attributes =
        List.of(
            "name",
            "team",
            "arguments",
            "server",
            "method",
            "time",
            "hour",
            "policy_id",
            "amount",
            "to",
            "a");
    return attributes.get(random.nextInt(attributes.size()));
  }

  private static PolicyQuestion question(Random random) {
    boolean tool = random.nextInt(4) > 0;
    String arguments =
        List.of(
                "{}",
                "{\"amount\":3}",
                "{\"amount\":\"ann\",\"to\":{\"name\":\"ann\",\"a\":{}}}",
                "{\"name\":\"bank\",\"team\":[1,true],\"arguments\":{\"amount\":3}}",
                "{\"to\":null}")
            .get(random.nextInt(5));
    return new PolicyQuestion(
        random.nextBoolean() ? ANN : new Principal("bob", List.of(), Map.of()),
        tool ? "tools/call" : "resources/read",
        tool,
        "pay",
        "bank",
        tool ? arguments : null,
        "p",
        AT);
  }
}
