package gatebook.api.flow.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.Error;
import gatebook.api.rpc.CheckedMembers;
import gatebook.events.call.JsonValue;
import gatebook.events.fault.Problem;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes problems with inputs from what the library found. They have names, types and the bounds of
 * the schema, but no values, and no texts of the schema.
 */
final class InputProblems {
  private static final int EACH_MAX = 20;
  private static final int NUMBER_CHARS_MAX = 24;

  private InputProblems() {}

  static List<Problem> of(List<Error> errors) {
    return errors.stream().map(InputProblems::problem).distinct().limit(EACH_MAX).toList();
  }

  private static Problem problem(Error error) {
    String field = FieldPath.ofInputs(error.getInstanceLocation());
    return switch (error.getKeyword()) {
      case "type" -> of(field, CheckedMembers.WRONG_TYPE, types(error), received(error));
      case "required", "dependentRequired" ->
          of(member(field, error), CheckedMembers.MISSING, null, null);
      case "additionalProperties", "unevaluatedProperties" ->
          of(member(field, error), CheckedMembers.UNKNOWN_FIELD, null, null);
      case "minimum" -> outOfRange(field, "at least %s", error);
      case "exclusiveMinimum" -> outOfRange(field, "more than %s", error);
      case "maximum" -> outOfRange(field, "at most %s", error);
      case "exclusiveMaximum" -> outOfRange(field, "less than %s", error);
      case "multipleOf" -> outOfRange(field, "a multiple of %s", error);
      case "minLength" -> outOfRange(field, "at least %s characters", error);
      case "maxLength" -> outOfRange(field, "at most %s characters", error);
      case "minItems" -> outOfRange(field, "at least %s items", error);
      case "maxItems" -> outOfRange(field, "at most %s items", error);
      case "minProperties" -> outOfRange(field, "at least %s fields", error);
      case "maxProperties" -> outOfRange(field, "at most %s fields", error);
      case "pattern" -> of(field, "Does not match the pattern of the schema", null, null);
      case "propertyNames" -> of(field, "A field has a name that is not allowed", null, null);
      case "uniqueItems" -> of(field, "Items are not unique", null, null);
      case "enum", "const" -> of(field, CheckedMembers.WRONG_VALUE, null, null);
      default ->
          of(field, "Not allowed by '%s' of the schema".formatted(error.getKeyword()), null, null);
    };
  }

  private static String member(String field, Error error) {
    String property = error.getProperty();
    return property == null ? field : FieldPath.member(field, property);
  }

  private static Problem outOfRange(String field, String expected, Error error) {
    return of(
        field,
        CheckedMembers.OUT_OF_RANGE,
        expected.formatted(number(error.getSchemaNode())),
        null);
  }

  private static String number(@Nullable JsonNode bound) {
    String text = bound != null && bound.isNumber() ? bound.asText() : "";
    return text.isEmpty() || text.length() > NUMBER_CHARS_MAX ? "the bound of the schema" : text;
  }

  private static @Nullable String types(Error error) {
    JsonNode types = error.getSchemaNode();
    if (types == null) {
      return null;
    }
    return types.isArray()
        ? types.valueStream().map(JsonNode::asText).collect(Collectors.joining(" or "))
        : types.asText();
  }

  private static @Nullable JsonValue received(Error error) {
    JsonNode node = error.getInstanceNode();
    return node == null
        ? null
        : JsonValue.parse("\"%s\"".formatted(node.getNodeType().name().toLowerCase(Locale.ROOT)));
  }

  private static Problem of(
      String field, String reason, @Nullable String expected, @Nullable JsonValue received) {
    return new Problem(field, reason, expected, received, List.of());
  }
}
