package gatebook.api.mcp;

import gatebook.api.gateway.message.DialectHandler.DialectCall;
import gatebook.api.rpc.ArrayElements;
import gatebook.api.rpc.JsonStrings;
import gatebook.api.rpc.JsonType;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.mcp.CallTargets;
import gatebook.api.upstream.mcp.McpMethod;
import gatebook.api.upstream.mcp.McpParams;
import gatebook.command.call.Intent;
import gatebook.command.gate.GateInput.TargetKind;
import gatebook.command.rules.Limit;
import gatebook.events.call.JsonValue;
import gatebook.events.fault.Misdirected.InvalidParams;
import gatebook.events.fault.Problem;
import java.util.List;
import java.util.Optional;

/** Finds the targets of governed MCP methods: what a call acts on. */
public final class GovernedTargets {
  private static final String REF = "ref";
  private static final String NOTIFICATIONS = "notifications";
  private static final String RESOURCES = "resourceSubscriptions";

  /** Refuses params of a known method that do not fit; empty when they fit. */
  public static Optional<Intent> refusal(DialectCall dialectCall) {
    return (McpMethod.isGoverned(dialectCall.method())
            ? lookalike(dialectCall)
            : Optional.<Problem>empty())
        .or(() ->
            McpMethod.params(dialectCall.method())
                .flatMap(it -> it.wrong(dialectCall.params(), dialectCall.members())))
        .map(GovernedTargets::refused);
  }

  /** A look-alike member, in which a lenient source could find a name the gates did not. */
  private static Optional<Problem> lookalike(DialectCall dialectCall) {
    return LookalikeCheck.lookalike(dialectCall.members())
        .map(name ->
            new Problem(
                name.strip(),
                null,
                "members in their right case",
                JsonType.quotedOf(dialectCall.members().json(name).orElseThrow()),
                List.of()));
  }

  /** The intent of a governed method whose params fit; empty for other methods. */
  public Optional<Intent> intent(DialectCall dialectCall) {
    return switch (dialectCall.method()) {
      case McpMethod.COMPLETION_COMPLETE -> Optional.of(completion(dialectCall));
      case McpMethod.SUBSCRIPTIONS_LISTEN -> subscription(dialectCall);
      default -> governedMember(dialectCall).map(member -> intent(dialectCall, member));
    };
  }

  /** The member that names the target of a governed method; empty when there is none. */
  private static Optional<String> governedMember(DialectCall dialectCall) {
    return Optional.of(dialectCall.method())
        .filter(McpMethod::isGoverned)
        .flatMap(McpMethod::targetMember);
  }

  private static Intent completion(DialectCall dialectCall) {
    return CallTargets.name(McpMethod.COMPLETION_COMPLETE, dialectCall.members())
        .<Intent>map(name ->
            act(
                name,
                CallTargets.isResource(dialectCall.members())
                    ? TargetKind.RESOURCE
                    : TargetKind.PROMPT,
                REF))
        .orElseGet(() -> wrong(REF, "a prompt or a resource", JsonType.OBJECT));
  }

  /** A subscription to resources acts on them; a subscription to lists acts on nothing. */
  private static Optional<Intent> subscription(DialectCall dialectCall) {
    Optional<String> notifications = dialectCall.members().json(NOTIFICATIONS);
    if (notifications.isEmpty()) {
      return Optional.empty();
    }
    ObjectMembers objectMembers = ObjectMembers.of(notifications.get());
    if (!notifications.get().startsWith("{")
        || LookalikeCheck.isLookalike(objectMembers, RESOURCES)) {
      return Optional.of(
          wrong(
              NOTIFICATIONS,
              "an object with members in their right case",
              JsonType.quotedOf(notifications.get())));
    }
    return objectMembers.json(RESOURCES).flatMap(json -> subscription(json, dialectCall));
  }

  private static Optional<Intent> subscription(String json, DialectCall dialectCall) {
    String param = NOTIFICATIONS + "." + RESOURCES;
    Optional<List<String>> resources = ArrayElements.of(json).flatMap(GovernedTargets::texts);
    if (resources.isEmpty()) {
      return Optional.of(wrong(param, "an array of strings", JsonType.quotedOf(json)));
    }
    int most = dialectCall.rules().limits().getInt(Limit.LISTEN_RESOURCES_MAX);
    if (resources.get().size() > most) {
      return Optional.of(
          wrong(
              param,
              "at most %d resources".formatted(most),
              JsonValue.parse(Integer.toString(resources.get().size()))));
    }
    return act(resources.get(), param);
  }

  private static Optional<Intent> act(List<String> names, String param) {
    List<String> each = names.stream().distinct().toList();
    return each.stream()
        .map(name -> act(name, TargetKind.RESOURCE, param))
        .filter(Intent.Unservable.class::isInstance)
        .findFirst()
        .or(() ->
            each.isEmpty()
                ? Optional.empty()
                : Optional.of(
                    new Intent.Act(
                        each.getFirst(), TargetKind.RESOURCE, each.subList(1, each.size()))));
  }

  /** The elements without quotes and escapes; empty when one of them is not a string. */
  private static Optional<List<String>> texts(List<String> elements) {
    List<String> texts = elements.stream().flatMap(it -> JsonStrings.text(it).stream()).toList();
    return texts.size() == elements.size() ? Optional.of(texts) : Optional.empty();
  }

  private static Intent act(String name, TargetKind targetKind, String param) {
    return name.length() > McpParams.NAME_CHARS_MAX
        ? wrong(param, "at most %d characters".formatted(McpParams.NAME_CHARS_MAX), JsonType.STRING)
        : new Intent.Act(name, targetKind);
  }

  /** The parameter that names the target. */
  public String param(DialectCall dialectCall) {
    return switch (dialectCall.method()) {
      case McpMethod.COMPLETION_COMPLETE -> REF;
      case McpMethod.SUBSCRIPTIONS_LISTEN -> NOTIFICATIONS + "." + RESOURCES;
      default -> McpMethod.targetMember(dialectCall.method()).orElse("name");
    };
  }

  /** The part of the params that is passed to the target. */
  public Optional<String> arguments(DialectCall dialectCall) {
    return governedMember(dialectCall).isPresent()
        ? arguments(dialectCall.members())
        : Optional.ofNullable(dialectCall.params());
  }

  /** Treats null as absent, as some clients send it for a member they leave out. */
  private static Optional<String> arguments(ObjectMembers params) {
    return params.json("arguments").filter(json -> !json.equals("null"));
  }

  private static Intent intent(DialectCall dialectCall, String member) {
    return new Intent.Act(
        dialectCall.members().text(member).orElseThrow(), on(dialectCall.method()));
  }

  private static TargetKind on(String method) {
    return switch (method) {
      case McpMethod.TOOLS_CALL -> TargetKind.TOOL;
      case McpMethod.PROMPTS_GET -> TargetKind.PROMPT;
      default -> TargetKind.RESOURCE;
    };
  }

  private static Intent wrong(String param, String expected, JsonValue received) {
    return refused(new Problem(param, null, expected, received, List.of()));
  }

  static Intent refused(Problem problem) {
    return new Intent.Unservable(new InvalidParams(List.of(problem)));
  }
}
