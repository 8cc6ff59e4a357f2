package gatebook.api.mcp;

import static gatebook.api.mcp.FixedToolsUpstream.rules;
import static gatebook.api.mcp.FixedToolsUpstream.source;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.Listing;
import gatebook.api.upstream.Upstream.MissingPart;
import gatebook.api.upstream.Upstream.Response;
import gatebook.command.rules.ExposeRules;
import gatebook.command.rules.Glob;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.command.rules.Source.Kind;
import gatebook.events.call.Exposure;
import gatebook.events.fault.UpstreamFault.UpstreamConnectionFailed;
import gatebook.events.fault.UpstreamFault.UpstreamTimeout;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class ToolListMergeTest {

  private static final Source PLAIN = source("a", Kind.MCP, "", ExposeRules.ALL);
  private static final Source PREFIXED = source("b", Kind.MCP, "b_", ExposeRules.ALL);
  private static final Ended LATE = new Ended.Failure(new UpstreamTimeout("a", "http://h", 5));

  @Test
  void toolsOfAllSourcesBecomeOneListWithCallersNames() {
    assertThat(
            listed(
                rules(PREFIXED, PLAIN),
                FixedToolsUpstream.of("a", "read", "write"),
                FixedToolsUpstream.of("b", "read")))
        .isEqualTo(tools("b_read", "read", "write"));
  }

  @Test
  void hiddenToolsAreNotListed() {
    Source picky = source("a", Kind.MCP, "a_", expose(Exposure.ALLOWLIST, "read*"));
    Source shy = source("b", Kind.MCP, "", expose(Exposure.BLOCKLIST, "read*"));

    assertThat(
            listed(
                rules(picky, shy),
                FixedToolsUpstream.of("a", "read", "read_all", "write"),
                FixedToolsUpstream.of("b", "read", "write")))
        .isEqualTo(tools("a_read", "a_read_all", "write"));
  }

  @Test
  void aNameOfAnotherSourceIsNotListedTwice() {
    assertThat(
            listed(
                rules(PLAIN, PREFIXED),
                FixedToolsUpstream.of("a", "b_read"),
                FixedToolsUpstream.of("b", "read")))
        .isEqualTo(tools("b_read"));
  }

  @Test
  void onlyEnabledSourcesWithToolsAreAsked() {
    Rules rules =
        rules(
            source("off", Kind.MCP, "off_", false, ExposeRules.ALL),
            source("rpc", Kind.JSONRPC, "rpc_", ExposeRules.ALL),
            source("demo", Kind.DEMO, "", ExposeRules.ALL));

    assertThat(listed(rules, FixedToolsUpstream.of("demo", "echo"))).isEqualTo(tools("echo"));
  }

  @Test
  void withoutAFailedSourceTheListIsPartial() {
    assertThat(
            listed(rules(PLAIN, PREFIXED), failing("a", LATE), FixedToolsUpstream.of("b", "read")))
        .isEqualTo(
            new Ended.Result(
                json(tools("b_read"))
                    .replaceAll(
                        "}$",
                        """
                        ,"_meta":{"gatebook/partial":true}}\
                        """),
                false,
                List.of(new MissingPart(PLAIN, LATE))));
  }

  private static String json(Ended list) {
    return ((Ended.Result) list).json();
  }

  @Test
  void whenAllSourcesFailTheFirstFailureIsReturned() {
    assertThat(
            listed(
                rules(PLAIN, PREFIXED),
                failing("a", LATE),
                failing("b", new Response.NotConnected("refused"))))
        .isEqualTo(LATE);
  }

  @Test
  void aConnectionFailureIsReportedWithoutTheQuery() {
    assertThat(listed(rules(PLAIN), failing("a", new Response.NotConnected("refused"))))
        .isEqualTo(
            new Ended.Failure(
                new UpstreamConnectionFailed("a", "http://127.0.0.1:1/a", "refused", 1)));
  }

  @Test
  void withoutSourcesThereAreNoTools() {
    assertThat(listed(rules())).isEqualTo(tools());
  }

  private static ExposeRules expose(Exposure exposure, String pattern) {
    return new ExposeRules(exposure, List.of(new Glob(pattern)));
  }

  private static Upstream failing(String source, Response response) {
    return new FixedToolsUpstream(source, new Listing.Failed(response));
  }

  private static Ended tools(String... names) {
    String all =
        Stream.of(names)
            .map(
                """
                {"title":"T","name":"%s"}\
                """
                    ::formatted)
            .collect(Collectors.joining(","));
    return new Ended.Result("{\"tools\":[" + all + "]}", false);
  }

  private static Ended listed(Rules rules, Upstream... upstreams) {
    return ToolListMerge.of(
            new RoutingSnapshot(
                rules,
                Stream.of(upstreams)
                    .collect(Collectors.toMap(Upstream::source, Function.identity())),
                null))
        .join();
  }
}
