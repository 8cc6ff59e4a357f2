package gatebook.api.upstream.mcp;

import static gatebook.api.mcp.FixedToolsUpstream.rules;
import static gatebook.api.mcp.FixedToolsUpstream.source;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.mcp.FixedToolsUpstream;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.Listing;
import gatebook.command.rules.ExposeRules;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.command.rules.Source.Kind;
import gatebook.events.fault.UpstreamFault.UpstreamTimeout;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class SourceToolsTest {

  private static final Listing READ = FixedToolsUpstream.of("any", "read").listing();
  private static final Listing FAILED =
      new Listing.Failed(new Ended.Failure(new UpstreamTimeout("late", "http://h", 5)));

  @Test
  void enabledSourcesWithToolsAreListedInRulesOrder() {
    Source late = source("late", Kind.MCP, "l_", ExposeRules.ALL);
    Source demo = source("demo", Kind.DEMO, "", ExposeRules.ALL);
    Rules rules =
        rules(
            source("off", Kind.MCP, "off_", false, ExposeRules.ALL),
            late,
            source("rpc", Kind.JSONRPC, "rpc_", ExposeRules.ALL),
            demo);
    Map<String, Listing> listings = Map.of("demo", READ, "late", FAILED);

    List<SourceTools> all =
        SourceTools.all(
                rules,
                each ->
                    new FixedToolsUpstream(
                        each.id(), Objects.requireNonNull(listings.get(each.id()))))
            .join();

    assertThat(all).containsExactly(new SourceTools(late, FAILED), new SourceTools(demo, READ));
  }
}
