package gatebook.api.mcp;

import gatebook.api.border.Methods.Asking;
import gatebook.api.rpc.Elements;
import gatebook.api.rpc.JsonType;
import gatebook.api.rpc.Members;
import gatebook.api.upstream.Names;
import gatebook.command.gate.Asked.On;
import gatebook.command.receive.Aim;
import gatebook.events.call.Json;
import gatebook.events.fault.Misdirected.InvalidParams;
import gatebook.events.fault.Problem;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What the governed methods of MCP act on. */
public final class Targets {

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
  public Optional<Aim> aim(Asking asking) {
    Optional<Aim> aim = named(asking);
    return aim.isPresent() || asking.method().equals(LISTEN) ? undisguised(asking, aim) : aim;
  }

  /** Whoever reads sloppily behind us must not find another name than the gates did. */
  private static Optional<Aim> undisguised(Asking asking, Optional<Aim> aim) {
    return Disguises.disguised(asking.members())
        .map(_ -> wrong("params", "members in their right case"))
        .or(() -> aim);
  }

  private static Optional<Aim> named(Asking asking) {
    return switch (asking.method()) {
      case COMPLETE -> Optional.of(completed(asking));
      case LISTEN -> listened(asking);
      default ->
          GOVERNED.contains(asking.method())
              ? Names.member(asking.method()).map(member -> aim(asking, member))
              : Optional.empty();
    };
  }

  private static Aim completed(Asking asking) {
    return Names.named(COMPLETE, asking.params())
        .<Aim>map(
            name -> act(name, Names.isResource(asking.params()) ? On.RESOURCE : On.PROMPT, REF))
        .orElseGet(() -> wrong(REF, "a prompt or a resource"));
  }

  /** Whoever wants to hear of a resource acts on it; whoever wants to hear of lists, on nothing. */
  private static Optional<Aim> listened(Asking asking) {
    Optional<String> wanted = asking.members().json(NOTIFICATIONS);
    if (wanted.isEmpty()) {
      return Optional.empty();
    }
    Members members = Members.of(wanted.get());
    if (!wanted.get().startsWith("{") || Disguises.isDisguised(members, RESOURCES)) {
      return Optional.of(wrong(NOTIFICATIONS, "an object with members in their right case"));
    }
    return members.json(RESOURCES).flatMap(json -> listened(json, asking));
  }

  private static Optional<Aim> listened(String json, Asking asking) {
    String param = NOTIFICATIONS + "." + RESOURCES;
    Optional<List<String>> resources = Elements.of(json).flatMap(Targets::texts);
    if (resources.isEmpty()) {
      return Optional.of(wrong(param, "an array of strings"));
    }
    int most = asking.rules().limits().listenResourcesMax();
    if (resources.get().size() > most) {
      return Optional.of(wrong(param, "at most %d resources".formatted(most)));
    }
    return act(resources.get(), param);
  }

  private static Optional<Aim> act(List<String> names, String param) {
    List<String> each = names.stream().distinct().toList();
    return each.stream()
        .map(name -> act(name, On.RESOURCE, param))
        .filter(Aim.Unservable.class::isInstance)
        .findFirst()
        .or(() ->
            each.isEmpty()
                ? Optional.empty()
                : Optional.of(
                    new Aim.Act(each.getFirst(), On.RESOURCE, each.subList(1, each.size()))));
  }

  /** Without quotes and escapes; nothing when one of them is no string. */
  private static Optional<List<String>> texts(List<String> elements) {
    List<String> texts =
        elements.stream()
            .flatMap(it -> Members.of("{\"uri\":%s}".formatted(it)).text("uri").stream())
            .toList();
    return texts.size() == elements.size() ? Optional.of(texts) : Optional.empty();
  }

  private static Aim act(String name, On on, String param) {
    return name.length() > NAME_CHARS_MAX
        ? wrong(param, "at most %d characters".formatted(NAME_CHARS_MAX))
        : new Aim.Act(name, on);
  }

  /** The parameter that names the target. */
  public String param(Asking asking) {
    return switch (asking.method()) {
      case COMPLETE -> REF;
      case LISTEN -> NOTIFICATIONS + "." + RESOURCES;
      default -> Names.member(asking.method()).orElse("name");
    };
  }

  /** The part of the params that the target is given. */
  public Optional<String> arguments(Asking asking) {
    return GOVERNED.contains(asking.method())
        ? given(asking.members())
        : Optional.ofNullable(asking.params());
  }

  /** Some clients say null where they leave something out. */
  private static Optional<String> given(Members params) {
    return params.json("arguments").filter(json -> !json.equals("null"));
  }

  private static Aim aim(Asking asking, String member) {
    Members params = asking.members();
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
    return new Aim.Act(name.get(), on(asking.method()));
  }

  private static On on(String method) {
    return switch (method) {
      case CALL -> On.TOOL;
      case PROMPT -> On.PROMPT;
      default -> On.RESOURCE;
    };
  }

  private static Aim wrong(String param, String expected) {
    return wrong(param, expected, Optional.empty());
  }

  /** {@code received} is absent where nothing came, or its type says nothing. */
  private static Aim wrong(String param, String expected, Optional<String> received) {
    Json type = received.map(JsonType::quotedOf).orElse(null);
    return new Aim.Unservable(
        new InvalidParams(List.of(new Problem(param, null, expected, type, List.of()))));
  }
}
