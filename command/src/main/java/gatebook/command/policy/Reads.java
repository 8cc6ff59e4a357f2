package gatebook.command.policy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a policy, in the engine's JSON form, reads of what is open: arguments and the principal. */
final class Reads {

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
  record Read(List<String> path, Need need, Need element, boolean isTest, Facts known) {

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

  private Reads() {}

  static List<Read> in(JsonNode policy) {
    Reads reads = new Reads();
    Facts known = Known.scope(policy.path("resource")).and(Known.action(policy.path("action")));
    for (JsonNode condition : policy.path("conditions")) {
      JsonNode body = condition.path("body");
      reads.walk(body, Need.TRUTH, known);
      boolean isWhen = condition.path("kind").asText().equals("when");
      known = known.and(isWhen ? Known.whenTrue(body) : Known.whenFalse(body));
    }
    return reads.found;
  }

  private void walk(JsonNode expression, Need need, Facts known) {
    String op = op(expression);
    JsonNode body = expression.path(op);
    JsonNode left = body.path("left");
    JsonNode right = body.path("right");
    switch (op) {
      case "." -> access(expression, need, known);
      case "has" -> test(body, known);
      case "&&" -> both(left, right, known.and(Known.whenTrue(left)), known);
      case "||" -> both(left, right, known.and(Known.whenFalse(left)), known);
      case "if-then-else" -> choice(body, need, known);
      case "<", "<=", ">", ">=", "+", "-", "*" -> walkAll(Need.NUMBER, known, left, right);
      case "neg" -> walk(body.path("arg"), Need.NUMBER, known);
      case "!" -> walk(body.path("arg"), Need.TRUTH, known);
      case "isEmpty" -> walk(body.path("arg"), Need.SET, known);
      case "like" -> walk(left, Need.TEXT, known);
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
      default -> parts(body, PARSERS.contains(op) ? Need.TEXT : Need.ANYTHING, known);
    }
  }

  private void access(JsonNode expression, Need need, Facts known) {
    List<String> path = path(expression);
    if (path == null) {
      walk(expression.path(".").path("left"), Need.ANYTHING, known);
    } else if (path.size() > 1) {
      found.add(new Read(path, need, Need.ANYTHING, false, known));
    }
  }

  private void set(JsonNode expression, Need element, Facts known) {
    List<String> path = path(expression);
    if (path != null && path.size() > 1) {
      found.add(new Read(path, Need.SET, element, false, known));
    } else {
      walk(expression, Need.SET, known);
    }
  }

  private void test(JsonNode has, Facts known) {
    List<String> path = path(has.path("left"));
    if (path == null) {
      walk(has.path("left"), Need.ANYTHING, known);
    } else {
      List<String> whole = append(path, has.path("attr").asText());
      found.add(new Read(whole, Need.ANYTHING, Need.ANYTHING, true, known));
    }
  }

  private void both(JsonNode left, JsonNode right, Facts between, Facts known) {
    walk(left, Need.TRUTH, known);
    walk(right, Need.TRUTH, between);
  }

  private void choice(JsonNode body, Need need, Facts known) {
    JsonNode condition = body.path("if");
    walk(condition, Need.TRUTH, known);
    walk(body.path("then"), need, known.and(Known.whenTrue(condition)));
    walk(body.path("else"), need, known.and(Known.whenFalse(condition)));
  }

  private void walkAll(Need need, Facts known, JsonNode... expressions) {
    for (JsonNode expression : expressions) {
      walk(expression, need, known);
    }
  }

  /** Whatever else an operator has: elements of a set, members of a record, operands. */
  private void parts(JsonNode body, Need need, Facts known) {
    if (body.isContainerNode()) {
      body.forEach(part -> walk(part, need, known));
    }
  }

  /** What an expression certainly is. */
  private static Need kind(JsonNode expression) {
    JsonNode value = expression.path("Value");
    if (value.isTextual()) {
      return Need.TEXT;
    }
    if (value.isNumber() || expression.at("/./left/./attr").asText().equals("time")) {
      return Need.NUMBER;
    }
    if (value.isBoolean()) {
      return Need.TRUTH;
    }
    if (expression.has("Record")) {
      return Need.RECORD;
    }
    return expression.has("Set") ? Need.SET : Need.ANYTHING;
  }

  private static Need elementKind(JsonNode set) {
    JsonNode elements = set.path("Set");
    return elements.isEmpty() ? Need.ANYTHING : kind(elements.get(0));
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
