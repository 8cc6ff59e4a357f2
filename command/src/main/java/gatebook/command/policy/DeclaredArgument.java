package gatebook.command.policy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What a tool's input schema says of one argument. */
sealed interface DeclaredArgument {

  /**
   * It is described.
   *
   * @param types in JSON Schema's words; empty where any
   * @param isRequired whether it is there in every call that the schema allows
   */
  record Described(Set<String> types, boolean isRequired) implements DeclaredArgument {}

  /** It is not mentioned where all the others are. */
  record Undeclared() implements DeclaredArgument {}

  /** The schema says it in ways that are not followed here, or leaves it open. */
  record Unclear() implements DeclaredArgument {}

  ObjectMapper JSON = new ObjectMapper();

  /** Ways to say more than properties do. */
  Set<String> ELSEWHERE =
      Set.of(
          "$ref",
          "$dynamicRef",
          "allOf",
          "anyOf",
          "oneOf",
          "not",
          "if",
          "then",
          "else",
          "patternProperties",
          "dependentSchemas",
          "dependencies");

  static JsonNode schema(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      return MissingNode.getInstance();
    }
  }

  /** Of the argument that these members lead to. */
  static DeclaredArgument of(JsonNode schema, List<String> members) {
    JsonNode level = schema;
    boolean isRequired = true;
    for (String member : members) {
      JsonNode property = level.path("properties").path(member);
      if (isOpen(level)) {
        return new Unclear();
      }
      if (property.isMissingNode()) {
        return new Undeclared();
      }
      isRequired &= isListed(level.path("required"), member);
      level = property;
    }
    return says(level, isRequired);
  }

  private static DeclaredArgument says(JsonNode property, boolean isRequired) {
    boolean isPlain = property.isObject() && !saysMore(property);
    return isPlain ? new Described(types(property.path("type")), isRequired) : new Unclear();
  }

  private static boolean isOpen(JsonNode level) {
    JsonNode others = level.path("additionalProperties");
    boolean takesOthers = others.isObject() || others.asBoolean(false);
    return takesOthers || !level.path("properties").isObject() || saysMore(level);
  }

  private static boolean saysMore(JsonNode level) {
    return ELSEWHERE.stream().anyMatch(level::has);
  }

  private static boolean isListed(JsonNode names, String name) {
    for (JsonNode listed : names) {
      if (listed.asText().equals(name)) {
        return true;
      }
    }
    return false;
  }

  private static Set<String> types(JsonNode type) {
    Set<String> types = new HashSet<>();
    if (type.isTextual()) {
      types.add(type.asText());
    }
    type.forEach(one -> types.add(one.asText()));
    return types;
  }
}
