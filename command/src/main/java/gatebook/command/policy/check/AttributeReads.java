package gatebook.command.policy.check;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Collects the attributes that a policy, in the engine's JSON form, reads where schemas are open:
 * arguments and the principal.
 */
final class AttributeReads {

  private static final String ARGUMENTS = "resource.arguments";
  private static final String PRINCIPAL = "principal";
  private static final Set<String> PARSERS = Set.of("ip", "decimal", "datetime", "duration");

  /**
   * One read of an attribute, or one test for it with {@code has}.
   *
   * @param path the open root, then the members that lead to the attribute
   * @param element the type its elements must have, when it must be a set
   * @param isTest whether it is a {@code has}
   * @param facts what is known where it is evaluated
   */
  record Read(
      List<String> path,
      ExpectedType expected,
      ExpectedType element,
      boolean isTest,
      EvaluationFacts facts) {

    boolean isArgument() {
      return path.getFirst().equals(ARGUMENTS);
    }

    /** The path without its root. */
    List<String> members() {
      return path.subList(1, path.size());
    }

    /** Whether every attribute of the path is known to exist; a test needs all but the last. */
    boolean isGuarded() {
      int end = isTest ? path.size() - 1 : path.size();
      for (int i = 2; i <= end; i++) {
        if (!facts.present().contains(inCedar(path.subList(0, i)))) {
          return false;
        }
      }
      return true;
    }
  }

  private final List<Read> reads = new ArrayList<>();

  private AttributeReads() {}

  static List<Read> in(JsonNode policy) {
    AttributeReads attributeReads = new AttributeReads();
    EvaluationFacts facts =
        ImpliedFacts.scope(policy.path("resource")).and(ImpliedFacts.action(policy.path("action")));
    for (JsonNode condition : policy.path("conditions")) {
      JsonNode body = condition.path("body");
      attributeReads.walk(body, ExpectedType.BOOLEAN, facts);
      boolean isWhen = condition.path("kind").asText().equals("when");
      facts = facts.and(isWhen ? ImpliedFacts.whenTrue(body) : ImpliedFacts.whenFalse(body));
    }
    return attributeReads.reads;
  }

  private void walk(JsonNode expression, ExpectedType expectedType, EvaluationFacts facts) {
    String op = operator(expression);
    JsonNode body = expression.path(op);
    JsonNode left = body.path("left");
    JsonNode right = body.path("right");
    switch (op) {
      case "." -> walkAccess(expression, expectedType, facts);
      case "has" -> walkHas(body, facts);
      case "&&" -> walkBoth(left, right, facts.and(ImpliedFacts.whenTrue(left)), facts);
      case "||" -> walkBoth(left, right, facts.and(ImpliedFacts.whenFalse(left)), facts);
      case "if-then-else" -> walkIf(body, expectedType, facts);
      case "<", "<=", ">", ">=", "+", "-", "*" -> walkAll(ExpectedType.NUMBER, facts, left, right);
      case "neg" -> walk(body.path("arg"), ExpectedType.NUMBER, facts);
      case "!" -> walk(body.path("arg"), ExpectedType.BOOLEAN, facts);
      case "isEmpty" -> walk(body.path("arg"), ExpectedType.SET, facts);
      case "like" -> walk(left, ExpectedType.TEXT, facts);
      case "==", "!=" -> {
        walk(left, typeOf(right), facts);
        walk(right, typeOf(left), facts);
      }
      case "contains" -> {
        walkSet(left, typeOf(right), facts);
        walk(right, elementTypeOf(left), facts);
      }
      case "containsAll", "containsAny" -> {
        walkSet(left, elementTypeOf(right), facts);
        walkSet(right, elementTypeOf(left), facts);
      }
      default ->
          walkChildren(
              body, PARSERS.contains(op) ? ExpectedType.TEXT : ExpectedType.ANYTHING, facts);
    }
  }

  private void walkAccess(JsonNode expression, ExpectedType expectedType, EvaluationFacts facts) {
    List<String> path = path(expression);
    if (path == null) {
      walk(expression.path(".").path("left"), ExpectedType.ANYTHING, facts);
    } else if (path.size() > 1) {
      reads.add(new Read(path, expectedType, ExpectedType.ANYTHING, false, facts));
    }
  }

  private void walkSet(JsonNode expression, ExpectedType element, EvaluationFacts facts) {
    List<String> path = path(expression);
    if (path != null && path.size() > 1) {
      reads.add(new Read(path, ExpectedType.SET, element, false, facts));
    } else {
      walk(expression, ExpectedType.SET, facts);
    }
  }

  private void walkHas(JsonNode has, EvaluationFacts facts) {
    List<String> path = path(has.path("left"));
    if (path == null) {
      walk(has.path("left"), ExpectedType.ANYTHING, facts);
    } else {
      List<String> whole = VariablePath.append(path, has.path("attr").asText());
      reads.add(new Read(whole, ExpectedType.ANYTHING, ExpectedType.ANYTHING, true, facts));
    }
  }

  private void walkBoth(
      JsonNode left, JsonNode right, EvaluationFacts between, EvaluationFacts facts) {
    walk(left, ExpectedType.BOOLEAN, facts);
    walk(right, ExpectedType.BOOLEAN, between);
  }

  private void walkIf(JsonNode body, ExpectedType expectedType, EvaluationFacts facts) {
    JsonNode condition = body.path("if");
    walk(condition, ExpectedType.BOOLEAN, facts);
    walk(body.path("then"), expectedType, facts.and(ImpliedFacts.whenTrue(condition)));
    walk(body.path("else"), expectedType, facts.and(ImpliedFacts.whenFalse(condition)));
  }

  private void walkAll(ExpectedType expectedType, EvaluationFacts facts, JsonNode... expressions) {
    for (JsonNode expression : expressions) {
      walk(expression, expectedType, facts);
    }
  }

  /** Walks the children of any other operator: elements of a set, members of a record, operands. */
  private void walkChildren(JsonNode body, ExpectedType expectedType, EvaluationFacts facts) {
    if (body.isContainerNode()) {
      body.forEach(part -> walk(part, expectedType, facts));
    }
  }

  /** The type that an expression certainly has; otherwise anything. */
  private static ExpectedType typeOf(JsonNode expression) {
    JsonNode value = expression.path("Value");
    if (value.isTextual()) {
      return ExpectedType.TEXT;
    }
    if (value.isNumber() || expression.at("/./left/./attr").asText().equals("time")) {
      return ExpectedType.NUMBER;
    }
    if (value.isBoolean()) {
      return ExpectedType.BOOLEAN;
    }
    if (expression.has("Record")) {
      return ExpectedType.RECORD;
    }
    return expression.has("Set") ? ExpectedType.SET : ExpectedType.ANYTHING;
  }

  private static ExpectedType elementTypeOf(JsonNode set) {
    JsonNode elements = set.path("Set");
    return elements.isEmpty() ? ExpectedType.ANYTHING : typeOf(elements.get(0));
  }

  static String operator(JsonNode expression) {
    return expression.isObject() && expression.size() == 1 ? expression.fieldNames().next() : "";
  }

  /** The path to this expression, the open root first; null when it is not such a path. */
  static @Nullable List<String> path(JsonNode expression) {
    List<String> path = VariablePath.of(expression);
    if (path == null || path.getFirst().equals(PRINCIPAL)) {
      return path;
    }
    if (path.size() < 2 || !path.subList(0, 2).equals(List.of("resource", "arguments"))) {
      return null;
    }
    List<String> fromArguments = new ArrayList<>(List.of(ARGUMENTS));
    fromArguments.addAll(path.subList(2, path.size()));
    return List.copyOf(fromArguments);
  }

  /** The path as a policy would write it. */
  static String inCedar(List<String> path) {
    StringBuilder name = new StringBuilder(path.getFirst());
    for (String attribute : path.subList(1, path.size())) {
      name.append(
          attribute.matches("[A-Za-z_][A-Za-z0-9_]*")
              ? "." + attribute
              : "[\"" + attribute + "\"]");
    }
    return name.toString();
  }
}
