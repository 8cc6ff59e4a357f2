package gatebook.api.upstream.agent;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.dialect.A2aTaskState;
import gatebook.api.dialect.A2aVersion;
import gatebook.api.upstream.agent.client.AgentItem;
import gatebook.api.upstream.agent.client.SendMode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Translation of params and results from one version of A2A into the other: of states, roles, parts
 * and wrappers. All other members stay as they are.
 */
final class AgentTranslation {

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private static final String KIND = "kind";
  private static final String MESSAGE = "message";
  private static final String CONFIGURATION = "configuration";
  private static final String DATA = "data";
  private static final String TEXT = "text";
  private static final String FILE = "file";
  private static final String FINAL = "final";

  /** Names that 1.0 also reads with underscores. */
  private static final Map<String, String> CAMEL_CASE =
      Map.of(
          "message_id", "messageId",
          "task_id", "taskId",
          "context_id", "contextId",
          "reference_task_ids", "referenceTaskIds",
          "history_length", "historyLength",
          "accepted_output_modes", "acceptedOutputModes",
          "return_immediately", "returnImmediately",
          "media_type", "mediaType");

  private static final Map<String, String> ROLES_V1 =
      Map.of("user", "ROLE_USER", "agent", "ROLE_AGENT");
  private static final Map<String, String> ROLES_V03 =
      Map.of("ROLE_USER", "user", "ROLE_AGENT", "agent");

  private final A2aVersion from;
  private final A2aVersion to;

  AgentTranslation(A2aVersion from, A2aVersion to) {
    this.from = from;
    this.to = to;
  }

  /** Has no counterpart in the other version, or is not as its own version says. */
  private static final class Untranslatable extends Exception {
    private static final long serialVersionUID = 1L;

    Untranslatable() {
      super(null, null, false, false);
    }
  }

  /** Params with the mode in which a message is sent, which is no longer in them. */
  record Params(String json, SendMode sendMode) {}

  /** The params of a request; empty when they have no counterpart. */
  Optional<Params> params(@Nullable String json) {
    try {
      ObjectNode params = object(JSON.readTree(json == null ? "{}" : json));
      rename(params);
      if (from == A2aVersion.V1_0) {
        params.remove("tenant"); // it names the agent here
      }
      SendMode sendMode = SendMode.BLOCKING;
      if (params.get(CONFIGURATION) instanceof ObjectNode configuration) {
        sendMode = takeSendMode(configuration);
      }
      if (params.get(MESSAGE) instanceof ObjectNode message) {
        rename(message);
        if (from != to) {
          translateMessage(message);
        }
      }
      return Optional.of(new Params(params.toString(), sendMode));
    } catch (JsonProcessingException | Untranslatable _) {
      return Optional.empty();
    }
  }

  private SendMode takeSendMode(ObjectNode configuration) {
    rename(configuration);
    JsonNode blocking = configuration.remove("blocking");
    JsonNode immediate = configuration.remove("returnImmediately");
    boolean waits =
        switch (from) {
          case V0_3 -> blocking == null || blocking.asBoolean(true);
          case V1_0 -> immediate == null || !immediate.asBoolean(false);
        };
    return waits ? SendMode.BLOCKING : SendMode.NON_BLOCKING;
  }

  /** The answer to a message, or an item of a stream; empty when it has no counterpart. */
  Optional<String> item(AgentItem item) {
    if (from == to) {
      return Optional.of(item.result());
    }
    try {
      ObjectNode payload = object(JSON.readTree(item.payload()));
      switch (item.kind()) {
        case TASK -> translateTask(payload);
        case MESSAGE -> translateMessage(payload);
        case STATUS_UPDATE -> translateStatusUpdate(payload, item);
        case ARTIFACT_UPDATE -> translateArtifactUpdate(payload, item);
      }
      return Optional.of(
          switch (to) {
            case V0_3 -> payload.toString();
            case V1_0 -> JSON.createObjectNode().set(item.kind().wrapper(), payload).toString();
          });
    } catch (JsonProcessingException | Untranslatable _) {
      return Optional.empty();
    }
  }

  /** A task that no member wraps; empty when it has no counterpart. */
  Optional<String> task(AgentItem item) {
    if (from == to) {
      return Optional.of(item.result());
    }
    try {
      ObjectNode task = object(JSON.readTree(item.payload()));
      translateTask(task);
      return Optional.of(task.toString());
    } catch (JsonProcessingException | Untranslatable _) {
      return Optional.empty();
    }
  }

  private void rename(ObjectNode object) {
    if (from == A2aVersion.V1_0) {
      CAMEL_CASE.forEach((snake, camel) -> {
        JsonNode value = object.remove(snake);
        if (value != null && !object.has(camel)) {
          object.set(camel, value);
        }
      });
    }
  }

  /** Only version 0.3 says whether an update is the last one. */
  private void translateStatusUpdate(ObjectNode update, AgentItem item) throws Untranslatable {
    setKind(update, item.kind().word());
    translateStatus(object(update.get("status")));
    switch (to) {
      case V0_3 -> {
        A2aTaskState state = item.state();
        update.put(FINAL, state != null && (state.isTerminal() || state.isInterrupted()));
      }
      case V1_0 -> update.remove(FINAL);
    }
  }

  private void translateArtifactUpdate(ObjectNode update, AgentItem item) throws Untranslatable {
    setKind(update, item.kind().word());
    translateParts(object(update.get("artifact")));
  }

  private void translateTask(ObjectNode task) throws Untranslatable {
    setKind(task, "task");
    translateStatus(object(task.get("status")));
    for (JsonNode artifact : elements(task.get("artifacts"))) {
      translateParts(object(artifact));
    }
    for (JsonNode message : elements(task.get("history"))) {
      translateMessage(object(message));
    }
  }

  private void translateStatus(ObjectNode status) throws Untranslatable {
    A2aTaskState state =
        A2aTaskState.of(from, text(status, "state")).orElseThrow(Untranslatable::new);
    status.put("state", state.word(to).orElseThrow(Untranslatable::new));
    if (isThere(status.get(MESSAGE))) {
      translateMessage(object(status.get(MESSAGE)));
    }
  }

  private void translateMessage(ObjectNode message) throws Untranslatable {
    setKind(message, MESSAGE);
    String role =
        switch (to) {
          case V0_3 -> ROLES_V03.get(text(message, "role"));
          case V1_0 -> ROLES_V1.get(text(message, "role"));
        };
    if (role == null) {
      throw new Untranslatable();
    }
    message.put("role", role);
    translateParts(message);
  }

  private void translateParts(ObjectNode holder) throws Untranslatable {
    for (JsonNode part : elements(holder.get("parts"))) {
      translatePart(object(part));
    }
  }

  private void translatePart(ObjectNode part) throws Untranslatable {
    switch (to) {
      case V0_3 -> partToV03(part);
      case V1_0 -> partToV1(part);
    }
  }

  private void partToV03(ObjectNode part) throws Untranslatable {
    rename(part);
    JsonNode filename = part.remove("filename");
    JsonNode mediaType = part.remove("mediaType");
    if (isThere(part.get(TEXT))) {
      part.put(KIND, TEXT);
    } else if (isThere(part.get("raw")) || isThere(part.get("url"))) {
      ObjectNode file = JSON.createObjectNode();
      move(part.remove("raw"), file, "bytes");
      move(part.remove("url"), file, "uri");
      move(filename, file, "name");
      move(mediaType, file, "mimeType");
      part.put(KIND, FILE);
      part.set(FILE, file);
    } else if (part.get(DATA) != null) {
      part.put(KIND, DATA);
      if (!part.get(DATA).isObject()) {
        part.set(DATA, JSON.createObjectNode().set("value", part.get(DATA)));
      }
    } else {
      throw new Untranslatable();
    }
  }

  private static void partToV1(ObjectNode part) throws Untranslatable {
    part.remove(KIND);
    if (part.get(FILE) instanceof ObjectNode file) {
      part.remove(FILE);
      move(file.get("bytes"), part, "raw");
      move(file.get("uri"), part, "url");
      move(file.get("name"), part, "filename");
      move(file.get("mimeType"), part, "mediaType");
    } else if (part.get(TEXT) == null && part.get(DATA) == null) {
      throw new Untranslatable();
    }
  }

  private static void move(@Nullable JsonNode value, ObjectNode holder, String name) {
    if (isThere(value)) {
      holder.set(name, value);
    }
  }

  private void setKind(ObjectNode object, String kind) {
    switch (to) {
      case V0_3 -> object.put(KIND, kind);
      case V1_0 -> object.remove(KIND);
    }
  }

  private static Iterable<JsonNode> elements(@Nullable JsonNode array) throws Untranslatable {
    if (!isThere(array)) {
      return List.of();
    }
    if (array == null || !array.isArray()) {
      throw new Untranslatable();
    }
    return array;
  }

  private static ObjectNode object(@Nullable JsonNode node) throws Untranslatable {
    if (node instanceof ObjectNode object) {
      return object;
    }
    throw new Untranslatable();
  }

  private static boolean isThere(@Nullable JsonNode node) {
    return node != null && !node.isNull();
  }

  private static String text(ObjectNode holder, String name) {
    return holder.path(name).asText("");
  }
}
