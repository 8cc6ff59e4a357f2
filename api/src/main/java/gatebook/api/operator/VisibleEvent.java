package gatebook.api.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.command.rules.KnownOperator.Role;
import java.util.List;

/** What an operator may see of a recorded event. */
final class VisibleEvent {

  private VisibleEvent() {}

  /**
   * Takes out of an event what this operator may not see; sealed content is nobody's.
   *
   * @param event a tree of the caller's own, which is changed
   */
  static void limit(JsonNode event, Operator to) {
    if (event instanceof ObjectNode object) {
      object.remove("original");
      if (!to.has(Role.ARGUMENTS)) {
        takeContentsOut(object);
      }
    }
  }

  private static void takeContentsOut(ObjectNode event) {
    event.remove("arguments");
    if (event.get("result") instanceof ObjectNode result) {
      result.remove(List.of("redacted", "beginning"));
    }
  }
}
