package gatebook.api.operator.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.command.rules.KnownOperator.Role;
import java.util.List;

/** Restricts a recorded event to what an operator may see. */
public final class VisibleEvent {

  /** The results that events keep, of a call and of a task of a tree. */
  private static final List<String> KEPT = List.of("result", "kept");

  /** The members that may have sealed content, of a task of a tree and of an execution. */
  private static final List<String> SEALED_BELOW = List.of("content", "webhook");

  private VisibleEvent() {}

  /**
   * Removes what this operator may not see. Sealed content is shown to no operator.
   *
   * @param event a tree that the caller owns; it is changed
   */
  public static void restrict(JsonNode event, Operator operator) {
    if (event instanceof ObjectNode object) {
      removeSealed(object);
      SEALED_BELOW.forEach(name -> {
        if (object.get(name) instanceof ObjectNode inner) {
          removeSealed(inner);
        }
      });
      if (!operator.has(Role.ARGUMENTS)) {
        removeContents(object);
      }
    }
  }

  /** Whether an event has what is shown only to operators with the role arguments. */
  public static boolean hasContents(JsonNode event) {
    if (!(event.deepCopy() instanceof ObjectNode copy)) {
      return true; // nothing is known of it
    }
    removeContents(copy);
    return !copy.equals(event);
  }

  private static void removeSealed(ObjectNode object) {
    object.properties().removeIf(member -> isSealed(member.getValue()));
  }

  /** Whether a member has the form of sealed content, which is a key's name and a text. */
  private static boolean isSealed(JsonNode member) {
    return member.isObject()
        && member.size() == 2
        && member.path("key").isTextual()
        && member.path("content").isTextual();
  }

  private static void removeContents(ObjectNode event) {
    event.remove("arguments");
    if (event.get("content") instanceof ObjectNode content) {
      content.remove("inputs");
    }
    for (String kept : KEPT) {
      if (event.get(kept) instanceof ObjectNode result) {
        result.remove(List.of("redacted", "beginning"));
      }
    }
  }
}
