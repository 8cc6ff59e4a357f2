package gatebook.api.mcp;

import static gatebook.api.rpc.Quoted.quoted;

import gatebook.api.border.Ground;
import gatebook.api.border.Methods;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.command.receive.Aim;
import gatebook.events.call.Dialect;
import gatebook.events.fault.Misdirected.MethodNotFound;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The methods of MCP that are served: what acts on something by the sources behind the gates, and
 * what a client asks before its first call by ourselves. Nothing has to be asked before anything
 * else.
 */
public final class McpMethods implements Methods {

  private static final String NEWEST = "2025-11-25";
  private static final Set<String> REVISIONS = Set.of(NEWEST, "2025-06-18");

  private final Targets targets = new Targets();
  private final String version;

  /** {@code version} is what clients are told of our own. */
  public McpMethods(String version) {
    this.version = version;
  }

  @Override
  public Dialect dialect() {
    return Dialect.MCP;
  }

  @Override
  public Aim aim(Asking asking) {
    return targets.aim(asking).orElseGet(() -> ungoverned(asking.method()));
  }

  @Override
  public Optional<String> arguments(Asking asking) {
    return targets.arguments(asking);
  }

  @Override
  public CompletableFuture<Ended> answer(Asking asking, Ground ground) {
    return switch (asking.method()) {
      case "initialize" -> result(initialize(asking));
      case "tools/list" -> ToolLists.of(ground);
      default -> result("{}");
    };
  }

  private static Aim ungoverned(String method) {
    boolean ours = Set.of("initialize", "ping", "tools/list").contains(method);
    return ours || method.startsWith("notifications/")
        ? new Aim.Ask()
        : new Aim.Unservable(new MethodNotFound(method));
  }

  private String initialize(Asking asking) {
    String asked = asking.members().text("protocolVersion").orElse(NEWEST);
    return "{\"protocolVersion\":%s,\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"gatebook\",\"version\":%s}}"
        .formatted(quoted(REVISIONS.contains(asked) ? asked : NEWEST), quoted(version));
  }

  private static CompletableFuture<Ended> result(String json) {
    return CompletableFuture.completedFuture(new Ended.Result(json, false));
  }
}
