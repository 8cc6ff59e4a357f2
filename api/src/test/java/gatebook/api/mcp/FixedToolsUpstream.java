package gatebook.api.mcp;

import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.MessageListener;
import gatebook.command.policy.CedarPolicies;
import gatebook.command.rules.ExposeRules;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Governance;
import gatebook.command.rules.Principals;
import gatebook.command.rules.RecordRules;
import gatebook.command.rules.RedactionRules;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.command.rules.Source.ForeignErrors;
import gatebook.command.rules.Source.Kind;
import gatebook.events.call.Action;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** An upstream with a fixed list of tools and nothing else. */
public record FixedToolsUpstream(String source, Listing listing) implements Upstream {

  public static FixedToolsUpstream of(String source, String... tools) {
    return new FixedToolsUpstream(
        source, new Listing.Tools(Stream.of(tools).map(FixedToolsUpstream::tool).toList()));
  }

  private static Tool tool(String name) {
    return new Tool(
        name,
        """
        {"title":"T","name":"%s"}\
        """
            .formatted(name));
  }

  public static Source source(String id, Kind kind, String prefix, ExposeRules exposeRules) {
    return source(id, kind, prefix, true, exposeRules);
  }

  public static Source source(
      String id, Kind kind, String prefix, boolean enabled, ExposeRules exposeRules) {
    URI url = URI.create("http://127.0.0.1:1/" + id + "?key=k");
    return new Source(
        id, kind, url, prefix, enabled, exposeRules, Map.of(), ForeignErrors.PASS, 5_000, 30_000);
  }

  public static Rules rules(Source... sources) {
    return new Rules(
        "sha256:1",
        List.of(sources),
        new Governance(Action.FORWARD, List.of()),
        Map.of(),
        CedarPolicies.NONE,
        List.of(),
        Principals.NONE,
        List.of(),
        List.of(),
        RedactionRules.DEFAULT,
        RecordRules.DEFAULT,
        GatewayLimits.DEFAULT);
  }

  @Override
  public String endpoint() {
    return "nowhere";
  }

  @Override
  public long timeoutMillis() {
    return 200;
  }

  @Override
  public CompletableFuture<Listing> listTools() {
    return CompletableFuture.completedFuture(listing);
  }

  @Override
  public CompletableFuture<Response> call(Call call, MessageListener listener) {
    throw new AssertionError("only its tools are asked for");
  }
}
