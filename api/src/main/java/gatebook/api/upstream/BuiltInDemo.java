package gatebook.api.upstream;

import gatebook.api.upstream.Upstream.Ended;
import gatebook.command.gate.Expose;
import gatebook.command.gate.Source;
import gatebook.events.call.Exposure;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The demo source, with what is shown of it without rules. */
public final class BuiltInDemo implements BuiltIn {

  private static final Source SOURCE =
      new Source(
          "demo",
          DemoSource.ENDPOINT,
          DemoSource.TIMEOUT_MILLIS,
          DemoSource.TOOLS.stream().map(Upstream.Tool::name).collect(Collectors.toSet()),
          new Expose(Exposure.BLOCKLIST, Set.of("process")));

  private final DemoSource demo;

  public BuiltInDemo(InstantSource clock) {
    this.demo = new DemoSource(clock);
  }

  @Override
  public Source source() {
    return SOURCE;
  }

  @Override
  public List<Tool> tools() {
    return DemoSource.TOOLS.stream()
        .map(tool -> new Tool(tool.name(), tool.description()))
        .toList();
  }

  @Override
  public CompletableFuture<Response> call(String method, @Nullable String params) {
    return CompletableFuture.completedFuture(
        switch (demo.answer(method, params)) {
          case Ended.Result(var json, boolean toolError) -> new Response.Result(json, toolError);
          case Ended.Failure(var fault) -> new Response.Failure(fault);
          case Ended.ForeignError _, Ended.Accepted _ ->
              throw new IllegalStateException("the demo source answers otherwise");
        });
  }
}
