package gatebook.api.upstream.mcp;

import java.util.Set;

/** The MCP methods that only read and are not governed: a request may be sent twice. */
public final class ReadOnlyMethods {

  private static final Set<String> METHODS =
      Set.of(
          "ping",
          "server/discover",
          "tools/list",
          "resources/list",
          "resources/templates/list",
          "prompts/list",
          "tasks/get",
          "tasks/list");

  private ReadOnlyMethods() {}

  public static boolean contains(String method) {
    return METHODS.contains(method);
  }
}
