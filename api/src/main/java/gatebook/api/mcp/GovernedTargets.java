package gatebook.api.mcp;

import gatebook.api.gateway.DialectHandler.Asking;
import gatebook.api.rpc.ArrayElements;
import gatebook.api.rpc.JsonType;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.mcp.CallTargets;
import gatebook.command.call.Intent;
import gatebook.command.gate.GateInput.On;
import gatebook.events.call.JsonValue;
import gatebook.events.fault.Misdirected.InvalidParams;
import gatebook.events.fault.Problem;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What the governed methods of MCP act on. */
public final class GovernedTargets {

  /** No tool, resource or prompt is called by a longer name. */
  public static final int NAME_CHARS_MAX = 1_024;

  private static final String CALL = "tools/call";
  private static final String PROMPT = "prompts/get";

  private static final String COMPLETE = "completion/complete";
  private static final String REF = "ref";
  private static final String LISTEN = "subscriptions/listen";
  private static final String NOTIFICATIONS = "notifications";
  private static final String RESOURCES = "resourceSubscriptions";

  private static final Set<String> GOVERNED =
      Set.of(CALL, PROMPT, "resources/read", "resources/subscribe");

  /** What a governed method wants; empty for the others. */
  public Optional<Intent> aim(Asking asking) {
    Optional<Intent> aim = named(asking);
    return aim.isPresent() || asking.method().equals(LISTEN) ? undisguised(asking, aim) : aim;
  }

  /** Whoever reads sloppily behind us must not find another name than the gates did. */
  private static Optional<Intent> undisguised(Asking asking, Optional<Intent> aim) {
    return LookalikeCheck.disguised(asking.members())
        .map(_ -> wrong("params", "members in their right case"))
        .or(() -> aim);
  }

  private static Optional<Intent> named(Asking asking) {
    return switch (asking.method()) {
      case COMPLETE -> Optional.of(completed(asking));
      case LISTEN -> listened(asking);
      default ->
          GOVERNED.contains(asking.method())
              ? CallTargets.member(asking.method()).map(member -> aim(asking, member))
              : Optional.empty();
    };
  }

  private static Intent completed(Asking asking) {
    return CallTargets.named(COMPLETE, asking.params())
        .<Intent>map(name ->
            act(name, CallTargets.isResource(asking.params()) ? On.RESOURCE : On.PROMPT, REF))
        .orElseGet(() -> wrong(REF, "a prompt or a resource"));
  }

  /** Whoever wants to hear of a resource acts on it; whoever wants to hear of lists, on nothing. */
  private static Optional<Intent> listened(Asking asking) {
    Optional<String> wanted = asking.members().json(NOTIFICATIONS);
    if (wanted.isEmpty()) {
      return Optional.empty();
    }
    ObjectMembers objectMembers = ObjectMembers.of(wanted.get());
    if (!wanted.get().startsWith("{") || LookalikeCheck.isDisguised(objectMembers, RESOURCES)) {
      return Optional.of(wrong(NOTIFICATIONS, "an object with members in their right case"));
    }
    return objectMembers.json(RESOURCES).flatMap(json -> listened(json, asking));
  }

  private static Optional<Intent> listened(String json, Asking asking) {
    String param = NOTIFICATIONS + "." + RESOURCES;
    Optional<List<String>> resources = ArrayElements.of(json).flatMap(GovernedTargets::texts);
    if (resources.isEmpty()) {
      return Optional.of(wrong(param, "an array of strings"));
    }
    int most = asking.rules().limits().listenResourcesMax();
    if (resources.get().size() > most) {
      return Optional.of(wrong(param, "at most %d resources".formatted(most)));
    }
    return act(resources.get(), param);
  }

  private static Optional<Intent> act(List<String> names, String param) {
    List<String> each = names.stream().distinct().toList();
    return each.stream()
        .map(name -> act(name, On.RESOURCE, param))
        .filter(Intent.Unservable.class::isInstance)
        .findFirst()
        .or(() ->
            each.isEmpty()
                ? Optional.empty()
                : Optional.of(
                    new Intent.Act(each.getFirst(), On.RESOURCE, each.subList(1, each.size()))));
  }

  /** Without quotes and escapes; nothing when one of them is no string. */
  private static Optional<List<String>> texts(List<String> elements) {
    List<String> texts =
        elements.stream()
            .flatMap(it -> ObjectMembers.of("{\"uri\":%s}".formatted(it)).text("uri").stream())
            .toList();
    return texts.size() == elements.size() ? Optional.of(texts) : Optional.empty();
  }

  private static Intent act(String name, On on, String param) {
    return name.length() > NAME_CHARS_MAX
        ? wrong(param, "at most %d characters".formatted(NAME_CHARS_MAX))
        : new Intent.Act(name, on);
  }

  /** The parameter that names the target. */
  public String param(Asking asking) {
    return switch (asking.method()) {
      case COMPLETE -> REF;
      case LISTEN -> NOTIFICATIONS + "." + RESOURCES;
      default -> CallTargets.member(asking.method()).orElse("name");
    };
  }

  /** The part of the params that the target is given. */
  public Optional<String> arguments(Asking asking) {
    return GOVERNED.contains(asking.method())
        ? given(asking.members())
        : Optional.ofNullable(asking.params());
  }

  /** Some clients say null where they leave something out. */
  private static Optional<String> given(ObjectMembers params) {
    return params.json("arguments").filter(json -> !json.equals("null"));
  }

  private static Intent aim(Asking asking, String member) {
    ObjectMembers params = asking.members();
    Optional<String> name = params.text(member);
    if (name.isEmpty()) {
      return wrong(member, "a string", params.json(member));
    }
    if (name.get().length() > NAME_CHARS_MAX) {
      return wrong(member, "at most %d characters".formatted(NAME_CHARS_MAX));
    }
    Optional<String> arguments = given(params);
    if (!arguments.map(json -> json.startsWith("{")).orElse(true)) {
      return wrong("arguments", "an object", arguments);
    }
    return new Intent.Act(name.get(), on(asking.method()));
  }

  private static On on(String method) {
    return switch (method) {
      case CALL -> On.TOOL;
      case PROMPT -> On.PROMPT;
      default -> On.RESOURCE;
    };
  }

  private static Intent wrong(String param, String expected) {
    return wrong(param, expected, Optional.empty());
  }

  /** {@code received} is absent where nothing came, or its type says nothing. */
  private static Intent wrong(String param, String expected, Optional<String> received) {
    JsonValue type = received.map(JsonType::quotedOf).orElse(null);
    return new Intent.Unservable(
        new InvalidParams(List.of(new Problem(param, null, expected, type, List.of()))));
  }
}
