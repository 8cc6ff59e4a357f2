package gatebook.api.mcp;

import static gatebook.api.rpc.Quoted.quoted;
import static java.util.stream.Collectors.joining;

import gatebook.api.border.Methods;
import gatebook.api.rpc.Members;
import gatebook.api.upstream.Upstream;
import gatebook.command.gate.Sources;
import gatebook.command.gate.Visibility;
import gatebook.command.receive.Aim;
import gatebook.events.call.Dialect;
import gatebook.events.fault.Misdirected.InvalidParams;
import gatebook.events.fault.Misdirected.MethodNotFound;
import gatebook.events.fault.Problem;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The methods of MCP that are served: {@code tools/call} by the sources behind the gates, and what
 * a client asks before its first call by ourselves. Nothing has to be asked before anything else.
 */
public final class McpMethods implements Methods {

  private static final String NEWEST = "2025-11-25";
  private static final Set<String> REVISIONS = Set.of(NEWEST, "2025-06-18");

  private final Upstream upstream;
  private final Sources sources;
  private final String version;

  /**
   * Serves the tools of one upstream.
   *
   * @param version what clients are told of our own
   */
  public McpMethods(Upstream upstream, Sources sources, String version) {
    this.upstream = upstream;
    this.sources = sources;
    this.version = version;
  }

  @Override
  public Dialect dialect() {
    return Dialect.MCP;
  }

  @Override
  public Aim aim(String method, @Nullable String params, @Nullable String version) {
    return switch (method) {
      case "tools/call" -> toolCall(Members.of(params));
      case "initialize", "ping", "tools/list" -> new Aim.Ask();
      default ->
          method.startsWith("notifications/")
              ? new Aim.Ask()
              : new Aim.Unservable(new MethodNotFound(method));
    };
  }

  @Override
  public Optional<String> arguments(String method, @Nullable String params) {
    return method.equals("tools/call")
        ? Members.of(params).json("arguments")
        : Optional.ofNullable(params);
  }

  @Override
  public String answer(String method, @Nullable String params) {
    return switch (method) {
      case "initialize" -> initialize(Members.of(params).text("protocolVersion").orElse(NEWEST));
      case "tools/list" -> toolList();
      default -> "{}";
    };
  }

  private static Aim toolCall(Members params) {
    Optional<String> name = params.text("name");
    if (name.isEmpty()) {
      return wrong("name", "a string");
    }
    boolean structured = params.json("arguments").map(json -> json.startsWith("{")).orElse(true);
    return structured ? new Aim.Act(name.get()) : wrong("arguments", "an object");
  }

  private static Aim wrong(String param, String expected) {
    return new Aim.Unservable(
        new InvalidParams(List.of(new Problem(param, null, expected, null, List.of()))));
  }

  private String initialize(String asked) {
    return "{\"protocolVersion\":%s,\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"gatebook\",\"version\":%s}}"
        .formatted(quoted(REVISIONS.contains(asked) ? asked : NEWEST), quoted(version));
  }

  private String toolList() {
    return upstream.tools().stream()
        .filter(tool -> Visibility.shows(tool.name(), sources))
        .map(Upstream.Tool::description)
        .collect(joining(",", "{\"tools\":[", "]}"));
  }
}
