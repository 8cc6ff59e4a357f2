package gatebook.api.upstream;

import static gatebook.api.rpc.Quoted.quoted;

import gatebook.api.rpc.Members;
import gatebook.events.call.Json;
import gatebook.events.fault.Misdirected.InvalidParams;
import gatebook.events.fault.Misdirected.MethodNotFound;
import gatebook.events.fault.Problem;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A source of our own, so that a first call needs nothing else. One of its tools is not shown. */
public final class DemoSource implements Upstream {

  static final String ENDPOINT = "built-in";
  static final long TIMEOUT_MILLIS = 30_000;

  static final List<Tool> TOOLS =
      List.of(
          tool("echo", "Gives its arguments back.", "{\"type\":\"object\"}"),
          tool("time", "Tells the time here.", "{\"type\":\"object\",\"properties\":{}}"),
          tool("process", "Tells which process runs.", "{\"type\":\"object\",\"properties\":{}}"));

  private final InstantSource clock;

  public DemoSource(InstantSource clock) {
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
  public CompletableFuture<Listing> tools() {
    return CompletableFuture.completedFuture(new Listing.Tools(TOOLS));
  }

  @Override
  public CompletableFuture<Response> call(Call call) {
    Ended answer = answer(call.method(), call.params());
    return CompletableFuture.completedFuture(call.notification() ? new Ended.Accepted() : answer);
  }

  Ended answer(String method, @Nullable String params) {
    return method.equals("tools/call")
        ? callTool(Members.of(params))
        : new Ended.Failure(new MethodNotFound(method));
  }

  private Ended callTool(Members params) {
    String name = params.text("name").orElse("");
    return switch (name) {
      case "echo" -> echo(params.json("arguments").orElse("{}"));
      case "time" -> text(clock.instant().toString());
      case "process" -> text(Long.toString(ProcessHandle.current().pid()));
      default -> new Ended.Failure(unknown(name));
    };
  }

  private static Ended echo(String arguments) {
    return new Ended.Result(
        "{\"content\":[{\"type\":\"text\",\"text\":%s}],\"structuredContent\":%s}"
            .formatted(quoted(arguments), arguments),
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
                "name", "no such tool", "a tool's name", Json.parse(quoted(tool)), List.of())));
  }

  private static Tool tool(String name, String description, String inputSchema) {
    return new Tool(
        name,
        "{\"name\":%s,\"description\":%s,\"inputSchema\":%s}"
            .formatted(quoted(name), quoted(description), inputSchema));
  }
}
