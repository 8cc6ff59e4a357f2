package gatebook.command.policy.check;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Derives the facts implied by an expression, in the engine's JSON form, being true or false. */
final class ImpliedFacts {

  private ImpliedFacts() {}

  static EvaluationFacts whenTrue(JsonNode expression) {
    String op = AttributeReads.operator(expression);
    JsonNode body = expression.path(op);
    return switch (op) {
      case "&&" -> whenTrue(body.path("left")).and(whenTrue(body.path("right")));
      case "||" -> whenTrue(body.path("left")).or(whenTrue(body.path("right")));
      case "!" -> whenFalse(body.path("arg"));
      case "has" -> present(body);
      case "==" -> equal(body.path("left"), body.path("right"));
      case "contains" -> oneOf(body.path("right"), texts(body.path("left")));
      default -> EvaluationFacts.NONE;
    };
  }

  static EvaluationFacts whenFalse(JsonNode expression) {
    String op = AttributeReads.operator(expression);
    JsonNode body = expression.path(op);
    return switch (op) {
      case "||" -> whenFalse(body.path("left")).and(whenFalse(body.path("right")));
      case "&&" -> whenFalse(body.path("left")).or(whenFalse(body.path("right")));
      case "!" -> whenTrue(body.path("arg"));
      default -> EvaluationFacts.NONE;
    };
  }

  /** The facts implied by the resource of a policy's scope. */
  static EvaluationFacts scope(JsonNode resource) {
    JsonNode entity = resource.has("entity") ? resource.path("entity") : resource.at("/in/entity");
    if (resource.path("entity_type").isTextual() && !isToolCall(resource.path("entity_type"))) {
      return EvaluationFacts.tools(Set.of());
    }
    return entity.isObject() ? tool(entity) : EvaluationFacts.NONE;
  }

  /** The facts implied by the action of a policy's scope: other actions have no arguments. */
  static EvaluationFacts action(JsonNode action) {
    JsonNode one = action.path("entity");
    boolean isAny = !one.isObject() && !action.has("entities");
    boolean isListed = isCallTool(one);
    for (JsonNode entity : action.path("entities")) {
      isListed |= isCallTool(entity);
    }
    return isAny || isListed ? EvaluationFacts.NONE : EvaluationFacts.tools(Set.of());
  }

  private static boolean isCallTool(JsonNode entity) {
    return entity.path("id").asText().equals("tools/call");
  }

  private static EvaluationFacts present(JsonNode has) {
    List<String> path = AttributeReads.path(has.path("left"));
    return path == null
        ? EvaluationFacts.NONE
        : EvaluationFacts.present(
            AttributeReads.inCedar(VariablePath.append(path, has.path("attr").asText())));
  }

  private static EvaluationFacts equal(JsonNode a, JsonNode b) {
    if (a.has("Value") && !b.has("Value")) {
      return equal(b, a);
    }
    JsonNode value = b.path("Value");
    if (a.path("Var").asText().equals("resource") && value.path("__entity").isObject()) {
      return tool(value.path("__entity"));
    }
    return value.isTextual() ? oneOf(a, Set.of(value.asText())) : EvaluationFacts.NONE;
  }

  private static EvaluationFacts tool(JsonNode entity) {
    return EvaluationFacts.tools(
        isToolCall(entity.path("type")) ? Set.of(entity.path("id").asText()) : Set.of());
  }

  private static boolean isToolCall(JsonNode type) {
    return type.asText().equals("ThoughtGate::ToolCall");
  }

  private static EvaluationFacts oneOf(JsonNode expression, @Nullable Set<String> texts) {
    JsonNode access = expression.path(".");
    if (texts == null) {
      return EvaluationFacts.NONE;
    }
    return switch (access.at("/left/Var").asText() + "." + access.path("attr").asText()) {
      case "resource.name" -> EvaluationFacts.tools(texts);
      case "resource.server", "context.source_id" -> EvaluationFacts.sources(texts);
      default -> EvaluationFacts.NONE;
    };
  }

  private static @Nullable Set<String> texts(JsonNode set) {
    Set<String> texts = new HashSet<>();
    for (JsonNode element : set.path("Set")) {
      if (!element.path("Value").isTextual()) {
        return null;
      }
      texts.add(element.path("Value").asText());
    }
    return texts.isEmpty() ? null : texts;
  }
}
