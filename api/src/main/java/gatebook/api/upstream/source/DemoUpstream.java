package gatebook.api.upstream.source;

import static gatebook.api.rpc.JsonStrings.quoted;
import static java.util.stream.Collectors.joining;

import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.mcp.McpMethod;
import gatebook.api.upstream.mcp.StatelessMeta;
import gatebook.events.call.JsonValue;
import gatebook.events.fault.Misdirected.InvalidParams;
import gatebook.events.fault.Misdirected.MethodNotFound;
import gatebook.events.fault.Problem;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The built-in demo upstream, so that a first call needs no other server. */
public final class DemoUpstream implements Upstream {

  static final String ENDPOINT = "built-in";
  static final long TIMEOUT_MILLIS = 30_000;

  private static final String INITIALIZE_RESULT =
      "{\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"demo\",\"version\":\"1\"}}";

  private static final String NO_ARGUMENTS = "{\"type\":\"object\",\"properties\":{}}";

  private static final List<Tool> TOOLS =
      List.of(
          tool("echo", "Gives its arguments back.", "{\"type\":\"object\"}"),
          tool("time", "Tells the time here.", NO_ARGUMENTS),
          tool("process", "Tells which process runs.", NO_ARGUMENTS),
          tool("delete_all", "Would delete all there is; there is nothing.", NO_ARGUMENTS),
          tool(
              "transfer",
              "Would pay somebody.",
              """
              {"type":"object","properties":{"to":{"type":"string"},"amount":{"type":"integer"}},\
              "required":["to","amount"]}\
              """),
          tool(
              "deploy",
              "Would put a version into production.",
              """
              {"type":"object","properties":{"version":{"type":"string"}},"required":["version"]}\
              """));

  private final InstantSource clock;

  public DemoUpstream(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public String source() {
    return "demo";
  }

  @Override
  public String endpoint() {
    return ENDPOINT;
  }

  @Override
  public long timeoutMillis() {
    return TIMEOUT_MILLIS;
  }

  @Override
  public CompletableFuture<Listing> listTools() {
    return CompletableFuture.completedFuture(new Listing.Tools(TOOLS));
  }

  @Override
  public CompletableFuture<Response> call(Call call, MessageListener listener) {
    Ended response = response(call);
    return CompletableFuture.completedFuture(call.notification() ? new Ended.Accepted() : response);
  }

  private static Ended discoverResult() {
    return new Ended.Result(StatelessMeta.discoverResult(INITIALIZE_RESULT), false);
  }

  private Ended response(Call call) {
    if (!StatelessMeta.isStateless(call)) {
      return statefulResponse(call);
    }
    return call.method().equals(McpMethod.SERVER_DISCOVER)
        ? discoverResult()
        : StatelessMeta.complete(call.method(), statefulResponse(call));
  }

  private Ended statefulResponse(Call call) {
    String method = call.method();
    if (method.equals(McpMethod.TOOLS_LIST)) {
      return new Ended.Result(
          TOOLS.stream().map(Tool::description).collect(joining(",", "{\"tools\":[", "]}")), false);
    }
    return method.equals(McpMethod.TOOLS_CALL)
        ? callTool(call.members())
        : new Ended.Failure(new MethodNotFound(method));
  }

  private Ended callTool(ObjectMembers params) {
    String name = params.text("name").orElse("");
    String arguments = params.json("arguments").filter(it -> !it.equals("null")).orElse("{}");
    return switch (name) {
      case "echo" -> echo(arguments);
      case "time" -> text(clock.instant().toString());
      case "process" -> text(Long.toString(ProcessHandle.current().pid()));
      case "delete_all", "transfer", "deploy" ->
          text("done, if this were not a demo: " + arguments);
      default -> new Ended.Failure(unknown(name));
    };
  }

  private static Ended echo(String arguments) {
    return new Ended.Result(
        "{\"content\":[{\"type\":\"text\",\"text\":"
            + quoted(arguments)
            + "}],\"structuredContent\":"
            + arguments
            + "}",
        false);
  }

  private static Ended text(String text) {
    return new Ended.Result(
        "{\"content\":[{\"type\":\"text\",\"text\":%s}]}".formatted(quoted(text)), false);
  }

  private static InvalidParams unknown(String tool) {
    return new InvalidParams(
        List.of(
            new Problem(
                "name",
                "no such tool",
                "a tool's name",
                JsonValue.parse(quoted(tool)),
                List.of())));
  }

  private static Tool tool(String name, String description, String inputSchema) {
    return new Tool(
        name,
        "{\"name\":%s,\"description\":%s,\"inputSchema\":%s}"
            .formatted(quoted(name), quoted(description), inputSchema));
  }
}
