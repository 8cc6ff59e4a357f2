package gatebook.command.policy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.command.policy.AttributeReads.Read;
import java.util.Comparator;
import java.util.List;

/**
 * Gives a schema what it cannot say: that arguments and a principal's attributes are open. What a
 * policy reads of them, and the schema does not mention, becomes optional and of the type the
 * policy needs.
 */
final class OpenSchema {

  private static final String ARGUMENTS =
      "/ThoughtGate/entityTypes/ToolCall/shape/attributes/arguments/attributes";
  private static final String PRINCIPAL = "/ThoughtGate/entityTypes/App/shape/attributes";

  private OpenSchema() {}

  /** A schema in the engine's JSON form, opened for what one policy reads. */
  static JsonNode of(JsonNode schema, List<Read> reads) {
    JsonNode opened = schema.deepCopy();
    reads.stream()
        .sorted(
            Comparator.comparing(OpenSchema::isVague).thenComparingInt(OpenSchema::fromTheInside))
        .forEach(read -> open(opened.at(read.isArgument() ? ARGUMENTS : PRINCIPAL), read));
    return opened;
  }

  private static boolean isVague(Read read) {
    return read.need() == ExpectedType.ANYTHING;
  }

  private static int fromTheInside(Read read) {
    return -read.path().size();
  }

  private static void open(JsonNode attributes, Read read) {
    List<String> members = read.members();
    JsonNode level = attributes;
    for (String member : members.subList(0, members.size() - 1)) {
      level = add(level, member, ExpectedType.RECORD, read).path("attributes");
    }
    add(level, members.getLast(), read.need(), read);
  }

  /** What is mentioned already stays as it is. */
  private static JsonNode add(
      JsonNode attributes, String name, ExpectedType expectedType, Read read) {
    if (attributes instanceof ObjectNode open && !open.has(name)) {
      open.set(name, type(expectedType, read.element()).put("required", false));
    }
    return attributes.path(name);
  }

  private static ObjectNode type(ExpectedType expectedType, ExpectedType element) {
    ObjectNode type = JsonNodeFactory.instance.objectNode();
    return switch (expectedType) {
      case NUMBER -> type.put("type", "Long");
      case TEXT, ANYTHING -> type.put("type", "String");
      case TRUTH -> type.put("type", "Boolean");
      case SET -> type.put("type", "Set").set("element", type(element, ExpectedType.ANYTHING));
      case RECORD -> type.put("type", "Record").set("attributes", type.objectNode());
    };
  }
}
