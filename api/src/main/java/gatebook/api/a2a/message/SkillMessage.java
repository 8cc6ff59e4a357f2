package gatebook.api.a2a.message;

import gatebook.api.a2a.message.A2aMessage.Content;
import gatebook.api.a2a.message.A2aMessage.Part;
import gatebook.api.a2a.message.A2aRequest.MessageRequest;
import gatebook.api.a2a.message.A2aRequest.SendOptions;
import gatebook.api.rpc.JsonType;
import gatebook.api.rpc.RequestMember;
import gatebook.command.redact.Scrubber;
import gatebook.events.call.JsonValue;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected.InvalidParams;
import gatebook.events.fault.Problem;
import gatebook.events.fault.Unsupported.ContentTypeNotSupported;
import gatebook.events.fault.Unsupported.PushNotificationNotSupported;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A message to the built-in agent, whose skills are tools: the message's metadata name the skill,
 * and its one structured part is the tool's arguments.
 */
public sealed interface SkillMessage {
  String JSON = "application/json";

  /**
   * It calls a skill.
   *
   * @param arguments the text of an object
   */
  record SkillCall(String skillId, String arguments, A2aMessage message, SendOptions options)
      implements SkillMessage {}

  /** It goes on with a task. */
  record Continuation(String taskId) implements SkillMessage {}

  /** It cannot be followed. */
  record Unfit(Fault fault) implements SkillMessage {}

  /** The message of a request that sends one. */
  static SkillMessage of(A2aReading reading) {
    return switch (reading) {
      case A2aReading.Rejected(var fault) -> new Unfit(fault);
      case A2aReading.Understood(MessageRequest sent) -> of(sent.message(), sent.options());
      case A2aReading.Understood _ -> throw new IllegalArgumentException("sends no message");
    };
  }

  private static SkillMessage of(A2aMessage message, SendOptions options) {
    if (options.push() != null) {
      return new Unfit(new PushNotificationNotSupported());
    }
    if (message.taskId() != null) {
      return new Continuation(message.taskId());
    }
    return unsupportedType(message, options)
        .<SkillMessage>map(
            type -> new Unfit(new ContentTypeNotSupported(type, List.of(JSON, "text/plain"))))
        .orElseGet(() -> call(message, options));
  }

  /** The first type that no tool takes or gives. */
  private static Optional<String> unsupportedType(A2aMessage message, SendOptions options) {
    Optional<String> sent =
        message.parts().stream().flatMap(part -> unsupportedType(part).stream()).findFirst();
    boolean fits =
        options.outputModes().isEmpty()
            || options.outputModes().stream().anyMatch(SkillMessage::isOutput);
    return sent.or(() -> fits ? Optional.empty() : options.outputModes().stream().findFirst());
  }

  private static Optional<String> unsupportedType(Part part) {
    return switch (part.content()) {
      case Content.Text _, Content.Data _ -> Optional.empty();
      case Content.Raw _, Content.Url _ ->
          Optional.of(Objects.requireNonNullElse(part.mediaType(), "application/octet-stream"));
    };
  }

  private static boolean isOutput(String mediaType) {
    return Stream.of(JSON, "text/plain", "application/*", "text/*", "*/*")
        .anyMatch(mediaType.strip()::equalsIgnoreCase);
  }

  private static SkillMessage call(A2aMessage message, SendOptions options) {
    String skillId = message.skillId();
    if (skillId == null) {
      return new Unfit(
          unfitParam(
              "message.metadata.skillId",
              "the id of a skill in the agent card",
              RequestMember.NOTHING));
    }
    Optional<Fault> unfitContext =
        Optional.ofNullable(message.contextId())
            .flatMap(id -> unfitContext("message.contextId", id));
    if (unfitContext.isPresent()) {
      return new Unfit(unfitContext.get());
    }
    List<String> objects =
        message.parts().stream()
            .flatMap(part ->
                part.content() instanceof Content.Data(var json)
                    ? Stream.of(json.strip())
                    : Stream.empty())
            .toList();
    return objects.size() == 1 && objects.getFirst().startsWith("{")
        ? new SkillCall(skillId, objects.getFirst(), message, options)
        : new Unfit(
            unfitParam(
                "message.parts",
                "one data part with an object: the arguments of the skill",
                JsonType.quotedOf("[]")));
  }

  private static Fault unfitParam(String param, String expected, JsonValue received) {
    return new InvalidParams(List.of(new Problem(param, null, expected, received, List.of())));
  }

  /** Why a client cannot give a context this id, which is recorded; empty when it can. */
  static Optional<Fault> unfitContext(String param, String contextId) {
    return Scrubber.BUILT_IN.findsSecret(contextId)
        ? Optional.of(unfitParam(param, "an id without a credential in it", JsonType.STRING))
        : Optional.empty();
  }
}
