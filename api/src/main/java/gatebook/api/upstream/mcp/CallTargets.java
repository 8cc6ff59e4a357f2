package gatebook.api.upstream.mcp;

import static gatebook.api.rpc.NameRewrite.renamed;
import static java.util.stream.Collectors.joining;

import gatebook.api.rpc.ArrayElements;
import gatebook.api.rpc.JsonStrings;
import gatebook.api.rpc.MemberSplice;
import gatebook.api.rpc.ObjectMembers;
import gatebook.command.rules.Source;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What a call of MCP names: the tool, prompt or resource. */
public final class CallTargets {

  public static final String LISTEN = "subscriptions/listen";
  static final String UPDATED = "notifications/resources/updated";

  /** Where the params of one who wants to hear of resources name them. */
  private static final List<String> WANTED =
      List.of(SubscriptionFilter.MEMBER, SubscriptionFilter.RESOURCES);

  private CallTargets() {}

  /** The name as callers know it. */
  public static Optional<String> named(String method, @Nullable String params) {
    Optional<String> member = member(method);
    return member.isPresent()
        ? ObjectMembers.of(params).text(member.get())
        : completed(method, params).flatMap(of -> ObjectMembers.of(params).members("ref").text(of));
  }

  /** What the headers of a call repeat of it. */
  public static Optional<String> repeated(String method, @Nullable String params) {
    return method.startsWith("tasks/")
        ? ObjectMembers.of(params).text("taskId")
        : named(method, params);
  }

  /** The same params with the name by which the source knows it. */
  public static @Nullable String withOwnName(
      String method, @Nullable String params, Source source) {
    if (params == null || source.prefix().isEmpty()) {
      return params;
    }
    if (method.equals(LISTEN)) {
      return listed(
          params, WANTED, name -> name.startsWith(source.prefix()) ? source.ownName(name) : name);
    }
    return named(method, params)
        .filter(name -> name.startsWith(source.prefix()))
        .map(name -> withName(method, params, source.ownName(name)))
        .orElse(params);
  }

  /** A notification's params with the names by which callers know what the source names. */
  public static String asCalled(String method, String params, Source source) {
    return switch (method) {
      case UPDATED ->
          ObjectMembers.of(params)
              .text("uri")
              .map(own -> renamed(params, "uri", source.prefix() + own))
              .orElse(params);
      case SubscriptionFilter.ACKNOWLEDGED -> listed(params, WANTED, own -> source.prefix() + own);
      default -> params;
    };
  }

  /** The same params with other names in a list of names. */
  private static String listed(String params, List<String> path, UnaryOperator<String> renaming) {
    return ObjectMembers.of(params)
        .members(path.getFirst())
        .json(path.getLast())
        .flatMap(ArrayElements::of)
        .map(names ->
            MemberSplice.with(
                params,
                path,
                names.stream()
                    .map(name -> text(name).map(renaming).map(JsonStrings::quoted).orElse(name))
                    .collect(joining(",", "[", "]"))))
        .orElse(params);
  }

  private static Optional<String> text(String json) {
    return ObjectMembers.of("{\"name\":%s}".formatted(json)).text("name");
  }

  private static String withName(String method, String params, String name) {
    Optional<String> member = member(method);
    return member.isPresent()
        ? renamed(params, member.get(), name)
        : completed(method, params).map(of -> renamed(params, "ref", of, name)).orElse(params);
  }

  /** The member of the params that holds the name, where it is one of theirs. */
  public static Optional<String> member(String method) {
    return switch (method) {
      case "tools/call", "prompts/get" -> Optional.of("name");
      case "resources/read", "resources/subscribe", "resources/unsubscribe" -> Optional.of("uri");
      default -> Optional.empty();
    };
  }

  /** A completion is asked for an argument of a prompt, or for a variable of a resource. */
  private static Optional<String> completed(String method, @Nullable String params) {
    if (!method.equals("completion/complete")) {
      return Optional.empty();
    }
    return Optional.of(isResource(params) ? "uri" : "name");
  }

  /** Whether a completion is asked for a resource; else it is for a prompt. */
  public static boolean isResource(@Nullable String params) {
    return ObjectMembers.of(params).members("ref").text("type").orElse("").equals("ref/resource");
  }
}
