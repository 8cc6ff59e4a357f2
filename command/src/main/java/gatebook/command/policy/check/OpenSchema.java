package gatebook.command.policy.check;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.command.policy.check.AttributeReads.Read;
import java.util.Comparator;
import java.util.List;

/**
 * Opens a schema for arguments and a principal's attributes, which Cedar schemas cannot declare as
 * open. Each attribute that a policy reads and the schema lacks is added as optional, with the type
 * that the policy expects.
 */
final class OpenSchema {

  private static final String ARGUMENTS =
      "/ThoughtGate/entityTypes/ToolCall/shape/attributes/arguments/attributes";
  private static final String PRINCIPAL = "/ThoughtGate/entityTypes/App/shape/attributes";

  private OpenSchema() {}

  /** Returns a copy of a schema, in the engine's JSON form, opened for the reads of one policy. */
  static JsonNode of(JsonNode schema, List<Read> reads) {
    JsonNode opened = schema.deepCopy();
    reads.stream()
        .sorted(
            Comparator.comparing(OpenSchema::isVague).thenComparingInt(OpenSchema::innermostFirst))
        .forEach(read -> open(opened.at(read.isArgument() ? ARGUMENTS : PRINCIPAL), read));
    return opened;
  }

  private static boolean isVague(Read read) {
    return read.expected() == ExpectedType.ANYTHING;
  }

  private static int innermostFirst(Read read) {
    return -read.path().size();
  }

  private static void open(JsonNode attributes, Read read) {
    List<String> members = read.members();
    JsonNode level = attributes;
    for (String member : members.subList(0, members.size() - 1)) {
      level = add(level, member, ExpectedType.RECORD, read).path("attributes");
    }
    add(level, members.getLast(), read.expected(), read);
  }

  /** Adds an attribute unless the schema declares it. */
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
      case BOOLEAN -> type.put("type", "Boolean");
      case SET -> type.put("type", "Set").set("element", type(element, ExpectedType.ANYTHING));
      case RECORD -> type.put("type", "Record").set("attributes", type.objectNode());
    };
  }
}
