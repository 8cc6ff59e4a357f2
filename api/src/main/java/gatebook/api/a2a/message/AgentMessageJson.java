package gatebook.api.a2a.message;

import static gatebook.api.rpc.JsonStrings.quoted;
import static java.util.stream.Collectors.joining;

import gatebook.api.a2a.message.A2aMessage.Content;
import gatebook.api.a2a.message.A2aMessage.Part;
import gatebook.api.dialect.A2aMethod;
import gatebook.api.dialect.A2aMethod.VersionedMethod;
import gatebook.api.dialect.A2aVersion;
import gatebook.api.rpc.JsonStrings;
import gatebook.api.rpc.ObjectMembers;
import gatebook.command.call.IdentifiedMessage;
import gatebook.command.call.task.TaskStatus.Known;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The JSON of the messages of a task, in one version. */
public final class AgentMessageJson {

  private AgentMessageJson() {}

  /** A message of the built-in agent about the state of a task. */
  static String ofAgent(String text, Known known, A2aVersion version) {
    return message(
        "%s-%s".formatted(known.task().taskId(), AgentTaskJson.word(known, A2aVersion.V0_3)),
        A2aMessage.Role.AGENT,
        List.of(new Part(new Content.Text(text), null, null, null)),
        null,
        known,
        version);
  }

  /**
   * The message that asked for a task, which may have come in another version; empty if unknown.
   */
  static Optional<String> sent(Known known, A2aVersion version) {
    String params = known.params();
    if (params == null) {
      return Optional.empty();
    }
    return A2aRequestReader.read(method(params), params)
            instanceof A2aReading.Understood(A2aRequest.Send(var message, _, _))
        ? Optional.of(
            message(
                message.messageId(),
                message.role(),
                message.parts(),
                message.metadata(),
                known,
                version))
        : Optional.empty();
  }

  /** The context that the message named which asked for a task; empty if unknown. */
  static Optional<String> contextId(Known known) {
    return Optional.ofNullable(known.params())
        .flatMap(params -> ObjectMembers.of(params).members("message").text("contextId"))
        .filter(id -> !id.isEmpty());
  }

  /** The versions write roles differently. */
  private static VersionedMethod method(String params) {
    boolean isV1 =
        ObjectMembers.of(params)
            .members("message")
            .text("role")
            .filter(role -> role.startsWith("ROLE_"))
            .isPresent();
    return new VersionedMethod(A2aMethod.SEND, isV1 ? A2aVersion.V1_0 : A2aVersion.V0_3);
  }

  private static String message(
      String messageId,
      A2aMessage.Role role,
      List<Part> parts,
      @Nullable String metadata,
      Known known,
      A2aVersion version) {
    List<String> members = new ArrayList<>();
    if (version == A2aVersion.V0_3) {
      members.add("\"kind\":\"message\"");
    }
    members.add("\"messageId\":" + quoted(messageId));
    members.add("\"role\":\"%s\"".formatted(role(role, version)));
    members.add("\"parts\":" + parts(parts, version));
    members.add("\"taskId\":" + quoted(known.task().taskId()));
    members.add("\"contextId\":" + quoted(AgentTaskJson.contextId(known)));
    if (metadata != null) {
      members.add("\"metadata\":" + metadata);
    }
    return object(members);
  }

  /** A message with what it says, so that it is recognised when it is sent again. */
  public static IdentifiedMessage identified(A2aMessage message) {
    return new IdentifiedMessage(message.messageId(), content(message));
  }

  /** What a message says, without its id: equal messages say the same in every version. */
  private static String content(A2aMessage message) {
    List<String> members = new ArrayList<>();
    members.add("\"role\":" + quoted(role(message.role(), A2aVersion.V1_0)));
    members.add("\"parts\":" + parts(message.parts(), A2aVersion.V1_0));
    add("contextId", message.contextId(), members);
    add("taskId", message.taskId(), members);
    members.add("\"referenceTaskIds\":" + texts(message.referenceTaskIds()));
    members.add("\"extensions\":" + texts(message.extensions()));
    if (message.metadata() != null) {
      members.add("\"metadata\":" + message.metadata());
    }
    return object(members);
  }

  private static String texts(List<String> texts) {
    return texts.stream().map(JsonStrings::quoted).collect(joining(",", "[", "]"));
  }

  private static String parts(List<Part> parts, A2aVersion version) {
    return parts.stream().map(part -> part(part, version)).collect(joining(",", "[", "]"));
  }

  private static String role(A2aMessage.Role role, A2aVersion version) {
    return switch (version) {
      case V0_3 -> role == A2aMessage.Role.USER ? "user" : "agent";
      case V1_0 -> role == A2aMessage.Role.USER ? "ROLE_USER" : "ROLE_AGENT";
    };
  }

  static String part(Part part, A2aVersion version) {
    return switch (version) {
      case V0_3 -> partInV03(part);
      case V1_0 -> partInV1(part);
    };
  }

  private static String partInV03(Part part) {
    List<String> members = new ArrayList<>();
    switch (part.content()) {
      case Content.Text(var text) -> {
        members.add("\"kind\":\"text\"");
        members.add("\"text\":" + quoted(text));
      }
      // its data are an object
      case Content.Data(var json) -> {
        members.add("\"kind\":\"data\"");
        members.add("\"data\":" + (json.startsWith("{") ? json : "{\"value\":%s}".formatted(json)));
      }
      case Content.Raw(var base64) -> file(part, "\"bytes\":" + quoted(base64), members);
      case Content.Url(var url) -> file(part, "\"uri\":" + quoted(url), members);
    }
    addMetadata(part, members);
    return object(members);
  }

  private static void file(Part part, String content, List<String> members) {
    List<String> file = new ArrayList<>(List.of(content));
    add("name", part.filename(), file);
    add("mimeType", part.mediaType(), file);
    members.add("\"kind\":\"file\"");
    members.add("\"file\":" + object(file));
  }

  private static String partInV1(Part part) {
    List<String> members = new ArrayList<>();
    members.add(
        switch (part.content()) {
          case Content.Text(var text) -> "\"text\":" + quoted(text);
          case Content.Data(var json) -> "\"data\":" + json;
          case Content.Raw(var base64) -> "\"raw\":" + quoted(base64);
          case Content.Url(var url) -> "\"url\":" + quoted(url);
        });
    add("filename", part.filename(), members);
    add("mediaType", part.mediaType(), members);
    addMetadata(part, members);
    return object(members);
  }

  private static void addMetadata(Part part, List<String> members) {
    if (part.metadata() != null) {
      members.add("\"metadata\":" + part.metadata());
    }
  }

  private static void add(String name, @Nullable String value, List<String> members) {
    if (value != null) {
      members.add("\"%s\":%s".formatted(name, quoted(value)));
    }
  }

  private static String object(List<String> members) {
    return "{" + String.join(",", members) + "}";
  }
}
