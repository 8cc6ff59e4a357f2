package gatebook.api.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.command.rules.KnownOperator.Role;
import java.util.List;

/** Restricts a recorded event to what an operator may see. */
final class VisibleEvent {

  private VisibleEvent() {}

  /**
   * Removes what this operator may not see. Sealed content is shown to no operator.
   *
   * @param event a tree that the caller owns; it is changed
   */
  static void restrict(JsonNode event, Operator operator) {
    if (event instanceof ObjectNode object) {
      object.remove("original");
      if (!operator.has(Role.ARGUMENTS)) {
        removeContents(object);
      }
    }
  }

  private static void removeContents(ObjectNode event) {
    event.remove("arguments");
    if (event.get("result") instanceof ObjectNode result) {
      result.remove(List.of("redacted", "beginning"));
    }
  }
}
