package gatebook.api.upstream.mcp;

import static gatebook.api.rpc.JsonStrings.quoted;
import static gatebook.api.rpc.NameRewrite.renamed;
import static java.util.stream.Collectors.joining;

import gatebook.api.rpc.ArrayElements;
import gatebook.api.rpc.JsonStrings;
import gatebook.api.rpc.MemberSplice;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.Upstream.Call;
import gatebook.command.rules.Source;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The target of an MCP call: the tool, prompt or resource that its params name. */
public final class CallTargets {

  private static final String REF = "ref";
  private static final String ARGUMENTS = "arguments";
  private static final Set<String> WITH_ARGUMENTS =
      Set.of(McpMethod.TOOLS_CALL, McpMethod.PROMPTS_GET);

  /** The path of the resources in the params of a subscription. */
  private static final List<String> SUBSCRIBED =
      List.of(SubscriptionFilter.MEMBER, SubscriptionFilter.RESOURCES);

  private CallTargets() {}

  /** The name that callers use; empty when the method has no target. */
  public static Optional<String> name(String method, ObjectMembers params) {
    Optional<String> member = McpMethod.targetMember(method);
    return member.isPresent()
        ? params.text(member.get())
        : completionMember(method, params).flatMap(params.members(REF)::text);
  }

  /** The name or task id that a header of the call must equal. */
  public static Optional<String> headerName(Call call) {
    return McpMethod.isAboutTasks(call.method())
        ? call.members().text("taskId")
        : name(call.method(), call.members());
  }

  /** The params for a source: with its own name of the target, and without arguments of null. */
  public static @Nullable String forSource(Call call, Source source) {
    return withoutNullArguments(call, withOwnName(call, source));
  }

  /**
   * The params without arguments of null. Some clients send it for a member that they leave out,
   * and the gates decide as if it were.
   */
  public static @Nullable String withoutNullArguments(Call call, @Nullable String params) {
    boolean isNull = call.members().json(ARGUMENTS).filter("null"::equals).isPresent();
    return params != null && isNull && WITH_ARGUMENTS.contains(call.method())
        ? MemberSplice.without(params, List.of(ARGUMENTS))
        : params;
  }

  private static @Nullable String withOwnName(Call call, Source source) {
    String params = call.params();
    if (params == null || source.prefix().isEmpty()) {
      return params;
    }
    if (call.method().equals(McpMethod.SUBSCRIPTIONS_LISTEN)) {
      return withListedNames(
          params,
          SUBSCRIBED,
          name -> name.startsWith(source.prefix()) ? source.ownName(name) : name);
    }
    return name(call.method(), call.members())
        .filter(name -> name.startsWith(source.prefix()))
        .map(name -> withName(call.method(), params, call.members(), source.ownName(name)))
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

  private static String withName(String method, String params, ObjectMembers members, String name) {
    Optional<String> member = McpMethod.targetMember(method);
    return member.isPresent()
        ? members.replace(params, member.get(), quoted(name))
        : members
            .json(REF)
            .map(ref -> renamed(ref, isResource(members) ? "uri" : "name", name))
            .map(ref -> members.replace(params, REF, ref))
            .orElse(params);
  }

  /** The member of {@code ref} that names the prompt or the resource of a completion. */
  private static Optional<String> completionMember(String method, ObjectMembers params) {
    if (!method.equals(McpMethod.COMPLETION_COMPLETE)) {
      return Optional.empty();
    }
    return Optional.of(isResource(params) ? "uri" : "name");
  }

  /** Whether a completion is for a resource; otherwise it is for a prompt. */
  public static boolean isResource(ObjectMembers params) {
    return params.members(REF).text("type").orElse("").equals("ref/resource");
  }
}
