package gatebook.api.upstream;

import static gatebook.api.rpc.Renaming.renamed;

import gatebook.api.rpc.Members;
import gatebook.command.rules.Source;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a call of MCP names: the tool, prompt or resource. */
public final class Names {

  private Names() {}

  /** The name as callers know it. */
  public static Optional<String> named(String method, @Nullable String params) {
    Optional<String> member = member(method);
    return member.isPresent()
        ? Members.of(params).text(member.get())
        : completed(method, params).flatMap(of -> Members.of(params).members("ref").text(of));
  }

  /** What the headers of a call repeat of it. */
  static Optional<String> repeated(String method, @Nullable String params) {
    return method.startsWith("tasks/") ? Members.of(params).text("taskId") : named(method, params);
  }

  /** The same params with the name by which the source knows it. */
  static @Nullable String withOwnName(String method, @Nullable String params, Source source) {
    if (params == null || source.prefix().isEmpty()) {
      return params;
    }
    return named(method, params)
        .filter(name -> name.startsWith(source.prefix()))
        .map(name -> withName(method, params, source.ownName(name)))
        .orElse(params);
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
    String type = Members.of(params).members("ref").text("type").orElse("");
    return Optional.of(type.equals("ref/resource") ? "uri" : "name");
  }
}
