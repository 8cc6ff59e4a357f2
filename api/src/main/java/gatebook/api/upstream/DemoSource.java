package gatebook.api.upstream;

import static gatebook.api.rpc.Quoted.quoted;

import gatebook.api.rpc.Members;
import gatebook.command.gate.Expose;
import gatebook.command.gate.Source;
import gatebook.events.call.Exposure;
import gatebook.events.call.Json;
import gatebook.events.fault.Misdirected.InvalidParams;
import gatebook.events.fault.Misdirected.MethodNotFound;
import gatebook.events.fault.Problem;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A source of our own, so that a first call needs nothing else. One of its tools is not shown. */
public final class DemoSource implements Upstream {

  private static final long TIMEOUT_MILLIS = 30_000;

  private static final List<Tool> TOOLS =
      List.of(
          tool("echo", "Gives its arguments back.", "{\"type\":\"object\"}"),
          tool("time", "Tells the time here.", "{\"type\":\"object\",\"properties\":{}}"),
          tool("process", "Tells which process runs.", "{\"type\":\"object\",\"properties\":{}}"));

  private static final Source SOURCE =
      new Source(
          "demo",
          "built-in",
          TIMEOUT_MILLIS,
          Set.of("echo", "time", "process"),
          new Expose(Exposure.BLOCKLIST, Set.of("process")));

  private final InstantSource clock;

  public DemoSource(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public Source source() {
    return SOURCE;
  }

  @Override
  public List<Tool> tools() {
    return TOOLS;
  }

  @Override
  public CompletableFuture<Response> call(String method, @Nullable String params) {
    return CompletableFuture.completedFuture(
        method.equals("tools/call")
            ? callTool(Members.of(params))
            : new Response.Failure(new MethodNotFound(method)));
  }

  private Response callTool(Members params) {
    String name = params.text("name").orElse("");
    return switch (name) {
      case "echo" -> echo(params.json("arguments").orElse("{}"));
      case "time" -> text(clock.instant().toString());
      case "process" -> text(Long.toString(ProcessHandle.current().pid()));
      default -> new Response.Failure(unknown(name));
    };
  }

  private static Response echo(String arguments) {
    return new Response.Result(
        "{\"content\":[{\"type\":\"text\",\"text\":%s}],\"structuredContent\":%s}"
            .formatted(quoted(arguments), arguments),
        false);
  }

  private static Response text(String text) {
    return new Response.Result(
        "{\"content\":[{\"type\":\"text\",\"text\":%s}]}".formatted(quoted(text)), false);
  }

  private static InvalidParams unknown(String tool) {
    return new InvalidParams(
        List.of(
            new Problem(
                "name", "no such tool", "a tool's name", Json.parse(quoted(tool)), List.of())));
  }

  private static Tool tool(String name, String description, String inputSchema) {
    return new Tool(
        name,
        "{\"name\":%s,\"description\":%s,\"inputSchema\":%s}"
            .formatted(quoted(name), quoted(description), inputSchema));
  }
}
