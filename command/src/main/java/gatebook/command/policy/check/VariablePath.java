package gatebook.command.policy.check;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The path from a variable to an attribute, in the engine's JSON form of an expression. */
final class VariablePath {

  private VariablePath() {}

  /** The variable, then the attributes; null when the expression is not such a path. */
  static @Nullable List<String> of(JsonNode expression) {
    Deque<String> path = new ArrayDeque<>();
    JsonNode rest = expression;
    for (; rest.has("."); rest = rest.path(".").path("left")) {
      String attribute = rest.path(".").path("attr").textValue();
      if (attribute == null) {
        return null;
      }
      path.addFirst(attribute);
    }
    String variable = variable(rest);
    if (variable == null) {
      return null;
    }
    path.addFirst(variable);
    return List.copyOf(path);
  }

  /** The path to what is accessed, or tested with {@code has}; null when there is none. */
  static @Nullable List<String> ofAccess(JsonNode access) {
    List<String> left = of(access.path("left"));
    String attribute = access.path("attr").textValue();
    return left == null || attribute == null ? null : append(left, attribute);
  }

  /** The variable that the expression is; null when it is none. */
  static @Nullable String variable(JsonNode expression) {
    return expression.path("Var").textValue();
  }

  static List<String> append(List<String> path, String attribute) {
    List<String> longer = new ArrayList<>(path);
    longer.add(attribute);
    return List.copyOf(longer);
  }
}
