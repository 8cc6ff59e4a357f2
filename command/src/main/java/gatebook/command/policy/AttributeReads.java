package gatebook.command.policy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a policy, in the engine's JSON form, reads of what is open: arguments and the principal. */
final class AttributeReads {

  private static final String ARGUMENTS = "resource.arguments";
  private static final String PRINCIPAL = "principal";
  private static final Set<String> PARSERS = Set.of("ip", "decimal", "datetime", "duration");

  /**
   * One place where something is read, or looked for with {@code has}.
   *
   * @param path from what is open on: its root, then the members on the way
   * @param element what the elements have to be, where it has to be a set
   * @param known where it is evaluated
   */
  record Read(
      List<String> path,
      ExpectedType need,
      ExpectedType element,
      boolean isTest,
      EvaluationFacts known) {

    boolean isArgument() {
      return path.getFirst().equals(ARGUMENTS);
    }

    /** The names of the members on the way. */
    List<String> members() {
      return path.subList(1, path.size());
    }

    /** Whether all on the way to it is known to be there, or it is only looked for. */
    boolean isGuarded() {
      int end = isTest ? path.size() - 1 : path.size();
      for (int i = 2; i <= end; i++) {
        if (!known.present().contains(name(path.subList(0, i)))) {
          return false;
        }
      }
      return true;
    }
  }

  private final List<Read> found = new ArrayList<>();

  private AttributeReads() {}

  static List<Read> in(JsonNode policy) {
    AttributeReads attributeReads = new AttributeReads();
    EvaluationFacts known =
        ImpliedFacts.scope(policy.path("resource")).and(ImpliedFacts.action(policy.path("action")));
    for (JsonNode condition : policy.path("conditions")) {
      JsonNode body = condition.path("body");
      attributeReads.walk(body, ExpectedType.TRUTH, known);
      boolean isWhen = condition.path("kind").asText().equals("when");
      known = known.and(isWhen ? ImpliedFacts.whenTrue(body) : ImpliedFacts.whenFalse(body));
    }
    return attributeReads.found;
  }

  private void walk(JsonNode expression, ExpectedType expectedType, EvaluationFacts known) {
    String op = op(expression);
    JsonNode body = expression.path(op);
    JsonNode left = body.path("left");
    JsonNode right = body.path("right");
    switch (op) {
      case "." -> access(expression, expectedType, known);
      case "has" -> test(body, known);
      case "&&" -> both(left, right, known.and(ImpliedFacts.whenTrue(left)), known);
      case "||" -> both(left, right, known.and(ImpliedFacts.whenFalse(left)), known);
      case "if-then-else" -> choice(body, expectedType, known);
      case "<", "<=", ">", ">=", "+", "-", "*" -> walkAll(ExpectedType.NUMBER, known, left, right);
      case "neg" -> walk(body.path("arg"), ExpectedType.NUMBER, known);
      case "!" -> walk(body.path("arg"), ExpectedType.TRUTH, known);
      case "isEmpty" -> walk(body.path("arg"), ExpectedType.SET, known);
      case "like" -> walk(left, ExpectedType.TEXT, known);
      case "==", "!=" -> {
        walk(left, kind(right), known);
        walk(right, kind(left), known);
      }
      case "contains" -> {
        set(left, kind(right), known);
        walk(right, elementKind(left), known);
      }
      case "containsAll", "containsAny" -> {
        set(left, elementKind(right), known);
        set(right, elementKind(left), known);
      }
      default ->
          parts(body, PARSERS.contains(op) ? ExpectedType.TEXT : ExpectedType.ANYTHING, known);
    }
  }

  private void access(JsonNode expression, ExpectedType expectedType, EvaluationFacts known) {
    List<String> path = path(expression);
    if (path == null) {
      walk(expression.path(".").path("left"), ExpectedType.ANYTHING, known);
    } else if (path.size() > 1) {
      found.add(new Read(path, expectedType, ExpectedType.ANYTHING, false, known));
    }
  }

  private void set(JsonNode expression, ExpectedType element, EvaluationFacts known) {
    List<String> path = path(expression);
    if (path != null && path.size() > 1) {
      found.add(new Read(path, ExpectedType.SET, element, false, known));
    } else {
      walk(expression, ExpectedType.SET, known);
    }
  }

  private void test(JsonNode has, EvaluationFacts known) {
    List<String> path = path(has.path("left"));
    if (path == null) {
      walk(has.path("left"), ExpectedType.ANYTHING, known);
    } else {
      List<String> whole = append(path, has.path("attr").asText());
      found.add(new Read(whole, ExpectedType.ANYTHING, ExpectedType.ANYTHING, true, known));
    }
  }

  private void both(JsonNode left, JsonNode right, EvaluationFacts between, EvaluationFacts known) {
    walk(left, ExpectedType.TRUTH, known);
    walk(right, ExpectedType.TRUTH, between);
  }

  private void choice(JsonNode body, ExpectedType expectedType, EvaluationFacts known) {
    JsonNode condition = body.path("if");
    walk(condition, ExpectedType.TRUTH, known);
    walk(body.path("then"), expectedType, known.and(ImpliedFacts.whenTrue(condition)));
    walk(body.path("else"), expectedType, known.and(ImpliedFacts.whenFalse(condition)));
  }

  private void walkAll(ExpectedType expectedType, EvaluationFacts known, JsonNode... expressions) {
    for (JsonNode expression : expressions) {
      walk(expression, expectedType, known);
    }
  }

  /** Whatever else an operator has: elements of a set, members of a record, operands. */
  private void parts(JsonNode body, ExpectedType expectedType, EvaluationFacts known) {
    if (body.isContainerNode()) {
      body.forEach(part -> walk(part, expectedType, known));
    }
  }

  /** What an expression certainly is. */
  private static ExpectedType kind(JsonNode expression) {
    JsonNode value = expression.path("Value");
    if (value.isTextual()) {
      return ExpectedType.TEXT;
    }
    if (value.isNumber() || expression.at("/./left/./attr").asText().equals("time")) {
      return ExpectedType.NUMBER;
    }
    if (value.isBoolean()) {
      return ExpectedType.TRUTH;
    }
    if (expression.has("Record")) {
      return ExpectedType.RECORD;
    }
    return expression.has("Set") ? ExpectedType.SET : ExpectedType.ANYTHING;
  }

  private static ExpectedType elementKind(JsonNode set) {
    JsonNode elements = set.path("Set");
    return elements.isEmpty() ? ExpectedType.ANYTHING : kind(elements.get(0));
  }

  static String op(JsonNode expression) {
    return expression.isObject() && expression.size() == 1 ? expression.fieldNames().next() : "";
  }

  /** The way from what is open to this, the root first; nothing where it is none. */
  static @Nullable List<String> path(JsonNode expression) {
    if (expression.path("Var").asText().equals("principal")) {
      return List.of(PRINCIPAL);
    }
    JsonNode access = expression.path(".");
    String attribute = access.path("attr").asText();
    if (access.at("/left/Var").asText().equals("resource")) {
      return attribute.equals("arguments") ? List.of(ARGUMENTS) : null;
    }
    List<String> left = access.has("left") ? path(access.path("left")) : null;
    return left == null ? null : append(left, attribute);
  }

  static List<String> append(List<String> path, String attribute) {
    List<String> longer = new ArrayList<>(path);
    longer.add(attribute);
    return List.copyOf(longer);
  }

  /** As a policy would write it. */
  static String name(List<String> path) {
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
