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

/** The target of an MCP call: the tool, prompt or resource that its params name. */
public final class CallTargets {

  /** The path of the resources in the params of a subscription. */
  private static final List<String> SUBSCRIBED =
      List.of(SubscriptionFilter.MEMBER, SubscriptionFilter.RESOURCES);

  private CallTargets() {}

  /** The name that callers use; empty when the method has no target. */
  public static Optional<String> name(String method, @Nullable String params) {
    Optional<String> member = McpMethod.targetMember(method);
    return member.isPresent()
        ? ObjectMembers.of(params).text(member.get())
        : completionMember(method, params)
            .flatMap(of -> ObjectMembers.of(params).members("ref").text(of));
  }

  /** The name or task id that the headers of a call repeat. */
  public static Optional<String> headerName(String method, @Nullable String params) {
    return McpMethod.isAboutTasks(method)
        ? ObjectMembers.of(params).text("taskId")
        : name(method, params);
  }

  /** The same params with the source's own name of the target. */
  public static @Nullable String withOwnName(
      String method, @Nullable String params, Source source) {
    if (params == null || source.prefix().isEmpty()) {
      return params;
    }
    if (method.equals(McpMethod.SUBSCRIPTIONS_LISTEN)) {
      return withListedNames(
          params,
          SUBSCRIBED,
          name -> name.startsWith(source.prefix()) ? source.ownName(name) : name);
    }
    return name(method, params)
        .filter(name -> name.startsWith(source.prefix()))
        .map(name -> withName(method, params, source.ownName(name)))
        .orElse(params);
  }

  /** The params of a notification with the names that callers use. */
  public static String withCallerNames(String method, String params, Source source) {
    return switch (method) {
      case McpMethod.NOTIFICATIONS_RESOURCES_UPDATED ->
          ObjectMembers.of(params)
              .text("uri")
              .map(own -> renamed(params, "uri", source.prefix() + own))
              .orElse(params);
      case McpMethod.NOTIFICATIONS_SUBSCRIPTIONS_ACKNOWLEDGED ->
          withListedNames(params, SUBSCRIBED, own -> source.prefix() + own);
      default -> params;
    };
  }

  /** The same params with the names in one of their lists replaced. */
  private static String withListedNames(
      String params, List<String> path, UnaryOperator<String> rename) {
    return ObjectMembers.of(params)
        .members(path.getFirst())
        .json(path.getLast())
        .flatMap(ArrayElements::of)
        .map(names ->
            MemberSplice.with(
                params,
                path,
                names.stream()
                    .map(name -> text(name).map(rename).map(JsonStrings::quoted).orElse(name))
                    .collect(joining(",", "[", "]"))))
        .orElse(params);
  }

  private static Optional<String> text(String json) {
    return ObjectMembers.of("{\"name\":%s}".formatted(json)).text("name");
  }

  private static String withName(String method, String params, String name) {
    Optional<String> member = McpMethod.targetMember(method);
    return member.isPresent()
        ? renamed(params, member.get(), name)
        : completionMember(method, params)
            .map(of -> renamed(params, "ref", of, name))
            .orElse(params);
  }

  /** The member of {@code ref} that names the prompt or the resource of a completion. */
  private static Optional<String> completionMember(String method, @Nullable String params) {
    if (!method.equals(McpMethod.COMPLETION_COMPLETE)) {
      return Optional.empty();
    }
    return Optional.of(isResource(params) ? "uri" : "name");
  }

  /** Whether a completion is for a resource; otherwise it is for a prompt. */
  public static boolean isResource(@Nullable String params) {
    return ObjectMembers.of(params).members("ref").text("type").orElse("").equals("ref/resource");
  }
}
