package gatebook.events.vocabulary;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.events.CallReceived;
import gatebook.events.Event;
import gatebook.events.ResultKept;
import gatebook.events.TreeExecutionStarted;
import gatebook.events.TreeTaskCompleted;
import gatebook.events.TreeTaskCreated;
import gatebook.events.TreeTaskUpdated;
import gatebook.events.call.SealedContent;
import gatebook.events.keys.OldKeys;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Upgrades events of version 1, in which one member was sealed by itself with the node's one key.
 * The member has its text; it is absent when it cannot be read.
 *
 * @param parent a JSON pointer to the object with the member
 * @param boundTo the id that the text was bound to
 */
record OldSealUpgrade(
    OldKeys oldKeys, String parent, String member, Function<ObjectNode, UUID> boundTo)
    implements EventUpgrade {

  static Map<Class<? extends Event>, List<EventUpgrade>> all(OldKeys oldKeys) {
    Function<ObjectNode, UUID> ofCall = json -> id(json, "callId");
    return Map.of(
        CallReceived.class,
        List.of(new OldSealUpgrade(oldKeys, "", "original", ofCall)),
        ResultKept.class,
        List.of(new OldSealUpgrade(oldKeys, "", "text", ofCall)),
        TreeTaskCreated.class,
        List.of(new OldSealUpgrade(oldKeys, "/content", "definition", OldSealUpgrade::task)),
        TreeTaskUpdated.class,
        List.of(new OldSealUpgrade(oldKeys, "/content", "definition", OldSealUpgrade::task)),
        TreeTaskCompleted.class,
        List.of(new OldSealUpgrade(oldKeys, "", "result", OldSealUpgrade::task)),
        TreeExecutionStarted.class,
        List.of(
            new OldSealUpgrade(oldKeys, "/webhook", "config", json -> id(json, "executionId"))));
  }

  private static UUID id(ObjectNode json, String member) {
    return UUID.fromString(json.path(member).asText());
  }

  private static UUID task(ObjectNode json) {
    return TreeTaskTag.id(json.path("owner").asText(), json.path("taskId").asText());
  }

  @Override
  public ObjectNode next(ObjectNode json) {
    if (json.at(parent) instanceof ObjectNode owner && owner.has(member)) {
      String text = text(json, owner.remove(member));
      if (text != null) {
        owner.put(member, text);
      }
    }
    return json;
  }

  private @Nullable String text(ObjectNode json, JsonNode old) {
    try {
      return oldKeys.open(
          boundTo.apply(json), EventJson.mapper().treeToValue(old, SealedContent.class));
    } catch (JsonProcessingException | IllegalArgumentException _) {
      return null;
    }
  }
}
