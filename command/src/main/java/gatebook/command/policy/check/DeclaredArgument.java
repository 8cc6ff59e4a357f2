package gatebook.command.policy.check;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What a tool's input schema declares about one argument. */
sealed interface DeclaredArgument {

  /**
   * The schema describes the argument.
   *
   * @param types JSON Schema type names; empty when any type is allowed
   * @param isRequired whether every call that the schema allows has it
   */
  record Described(Set<String> types, boolean isRequired) implements DeclaredArgument {}

  /** The schema lists all arguments and this is not among them. */
  record Undeclared() implements DeclaredArgument {}

  /** The schema uses keywords that are not evaluated here, or allows other arguments. */
  record Unclear() implements DeclaredArgument {}

  ObjectMapper JSON = new ObjectMapper();

  /** Keywords that may constrain an argument outside of {@code properties}. */
  Set<String> COMPLEX_KEYWORDS =
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

  static JsonNode parseSchema(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      return MissingNode.getInstance();
    }
  }

  /** The declaration of the argument at this path. */
  static DeclaredArgument of(JsonNode schema, List<String> members) {
    JsonNode level = schema;
    boolean isRequired = true;
    for (String member : members) {
      JsonNode property = level.path("properties").path(member);
      if (allowsUndeclared(level)) {
        return new Unclear();
      }
      if (property.isMissingNode()) {
        return new Undeclared();
      }
      isRequired &= isListed(level.path("required"), member);
      level = property;
    }
    return describe(level, isRequired);
  }

  private static DeclaredArgument describe(JsonNode property, boolean isRequired) {
    boolean isPlain = property.isObject() && !hasComplexKeywords(property);
    return isPlain ? new Described(types(property.path("type")), isRequired) : new Unclear();
  }

  private static boolean allowsUndeclared(JsonNode level) {
    JsonNode others = level.path("additionalProperties");
    boolean takesOthers = others.isObject() || others.asBoolean(false);
    return takesOthers || !level.path("properties").isObject() || hasComplexKeywords(level);
  }

  private static boolean hasComplexKeywords(JsonNode level) {
    return COMPLEX_KEYWORDS.stream().anyMatch(level::has);
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
