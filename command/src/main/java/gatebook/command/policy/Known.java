package gatebook.command.policy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What follows from an expression, in the engine's JSON form, being true or being false. */
final class Known {

  private Known() {}

  static Facts whenTrue(JsonNode expression) {
    String op = Reads.op(expression);
    JsonNode body = expression.path(op);
    return switch (op) {
      case "&&" -> whenTrue(body.path("left")).and(whenTrue(body.path("right")));
      case "||" -> whenTrue(body.path("left")).or(whenTrue(body.path("right")));
      case "!" -> whenFalse(body.path("arg"));
      case "has" -> present(body);
      case "==" -> equal(body.path("left"), body.path("right"));
      case "contains" -> oneOf(body.path("right"), texts(body.path("left")));
      default -> Facts.NONE;
    };
  }

  static Facts whenFalse(JsonNode expression) {
    String op = Reads.op(expression);
    JsonNode body = expression.path(op);
    return switch (op) {
      case "||" -> whenFalse(body.path("left")).and(whenFalse(body.path("right")));
      case "&&" -> whenFalse(body.path("left")).or(whenFalse(body.path("right")));
      case "!" -> whenTrue(body.path("arg"));
      default -> Facts.NONE;
    };
  }

  /** What the scope of a policy says of the resource. */
  static Facts scope(JsonNode resource) {
    JsonNode entity = resource.has("entity") ? resource.path("entity") : resource.at("/in/entity");
    if (resource.path("entity_type").isTextual() && !isToolCall(resource.path("entity_type"))) {
      return Facts.tools(Set.of());
    }
    return entity.isObject() ? tool(entity) : Facts.NONE;
  }

  /** What the scope of a policy says of the action: one that calls no tool has no arguments. */
  static Facts action(JsonNode action) {
    JsonNode one = action.path("entity");
    boolean isAny = !one.isObject() && !action.has("entities");
    boolean isListed = isCallTool(one);
    for (JsonNode entity : action.path("entities")) {
      isListed |= isCallTool(entity);
    }
    return isAny || isListed ? Facts.NONE : Facts.tools(Set.of());
  }

  private static boolean isCallTool(JsonNode entity) {
    return entity.path("id").asText().equals("tools/call");
  }

  private static Facts present(JsonNode has) {
    List<String> path = Reads.path(has.path("left"));
    return path == null
        ? Facts.NONE
        : Facts.present(Reads.name(Reads.append(path, has.path("attr").asText())));
  }

  private static Facts equal(JsonNode a, JsonNode b) {
    if (a.has("Value") && !b.has("Value")) {
      return equal(b, a);
    }
    JsonNode value = b.path("Value");
    if (a.path("Var").asText().equals("resource") && value.path("__entity").isObject()) {
      return tool(value.path("__entity"));
    }
    return value.isTextual() ? oneOf(a, Set.of(value.asText())) : Facts.NONE;
  }

  private static Facts tool(JsonNode entity) {
    return Facts.tools(
        isToolCall(entity.path("type")) ? Set.of(entity.path("id").asText()) : Set.of());
  }

  private static boolean isToolCall(JsonNode type) {
    return type.asText().equals("ThoughtGate::ToolCall");
  }

  private static Facts oneOf(JsonNode expression, @Nullable Set<String> texts) {
    JsonNode access = expression.path(".");
    if (texts == null) {
      return Facts.NONE;
    }
    return switch (access.at("/left/Var").asText() + "." + access.path("attr").asText()) {
      case "resource.name" -> Facts.tools(texts);
      case "resource.server", "context.source_id" -> Facts.sources(texts);
      default -> Facts.NONE;
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
