package gatebook.api.mcp;

import static gatebook.api.mcp.FixedToolsUpstream.source;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.gateway.message.CallerTasks;
import gatebook.api.gateway.message.ClientChannel;
import gatebook.api.gateway.message.DialectHandler.AnswerContext;
import gatebook.api.gateway.message.DialectHandler.DialectCall;
import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.MissingPart;
import gatebook.command.rules.ExposeRules;
import gatebook.command.rules.Glob;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.command.rules.Source.Kind;
import gatebook.events.call.Exposure;
import gatebook.events.fault.Fault;
import gatebook.events.fault.UpstreamFault.UpstreamError;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class ListAggregatorTest {

  private static final Source ONE = source("one", Kind.MCP, "", ExposeRules.ALL);
  private static final Source TWO = source("two", Kind.MCP, "two_", ExposeRules.ALL);

  private final Map<String, String> pages = new HashMap<>();
  private final List<String> requests = new ArrayList<>();

  @Test
  void pagesOfASingleSourceArePassedOnUnchanged() {
    String page =
        """
        { "prompts":[ {"name":"p", "x":1.50} \
        ],"nextCursor":"n","ttlMs":5,"cacheScope":"public"}\
        """;
    pages.put(
        """
        one prompts/list {"cursor":"m"}\
        """,
        page);

    assertThat(listed(ListAggregator.PROMPTS, "{\"cursor\":\"m\"}", ONE)).isEqualTo(result(page));
  }

  @Test
  void hiddenItemsAreLeftOutAndThePageBecomesPrivate() {
    Source some =
        source(
            "one",
            Kind.MCP,
            "",
            new ExposeRules(Exposure.BLOCKLIST, List.of(new Glob("file:///secret*"))));
    pages.put(
        "one resources/list null",
        """
        {"resources":[{"uri":"file:///secret/a"},{"uri":"file:///b"},{"name":"no \
        uri"}],"nextCursor":"n","cacheScope":"public"}\
        """);

    assertThat(listed(ListAggregator.RESOURCES, null, some))
        .isEqualTo(
            result(
                """
                {"resources":[{"uri":"file:///b"}],"nextCursor":"n","cacheScope":"private"}\
                """));
  }

  @Test
  void allowlistNamesToolsWithoutThePrefix() {
    Source allowing =
        source(
            "two",
            Kind.MCP,
            "two_",
            new ExposeRules(Exposure.ALLOWLIST, List.of(new Glob("read*"))));
    pages.put(
        "two tools/list null",
        """
        {"tools":[{"name":"read"},{"name":"write"},{"name":"read_all"}]}\
        """);

    assertThat(listed(ListAggregator.TOOLS, null, allowing))
        .isEqualTo(
            result(
                """
                {"tools":[{"name":"two_read"},{"name":"two_read_all"}]}\
                """));
  }

  @Test
  void severalSourcesBecomeOnePageWithCallersNames() {
    pages.put(
        "one tools/list null",
        """
        {"tools":[{"name":"a"}],"nextCursor":"m\\""}\
        """);
    pages.put(
        """
        one tools/list {"cursor":"m\\""}\
        """,
        """
        {"tools":[{"name":"b"}]}\
        """);
    pages.put(
        "two tools/list null",
        """
        {"tools":[{"title":"T","name":"a"}]}\
        """);

    assertThat(listed(ListAggregator.TOOLS, null, ONE, TWO))
        .isEqualTo(
            result(
                """
                {"tools":[{"name":"a"},{"name":"b"},{"title":"T","name":"two_a"}]}\
                """));
  }

  @Test
  void itemOfAnotherSourcesNameIsNotListedTwice() {
    pages.put("one tools/list null", "{\"tools\":[{\"name\":\"two_a\"}]}");
    pages.put("two tools/list null", "{\"tools\":[{\"name\":\"a\"}]}");

    assertThat(listed(ListAggregator.TOOLS, null, ONE, TWO))
        .isEqualTo(result("{\"tools\":[{\"name\":\"two_a\"}]}"));
  }

  @Test
  void onlyEnabledSourcesWithListsAreAsked() {
    assertThat(
            listed(
                ListAggregator.TOOLS,
                null,
                source("off", Kind.MCP, "off_", false, ExposeRules.ALL),
                source("rpc", Kind.JSONRPC, "rpc_", ExposeRules.ALL)))
        .isEqualTo(result("{\"tools\":[]}"));
    assertThat(requests).isEmpty();
  }

  @Test
  void aSourceWithoutTheListIsIgnored() {
    pages.put(
        "two prompts/list null",
        """
        {"prompts":[{"name":"p"}]}\
        """);

    assertThat(listed(ListAggregator.PROMPTS, null, ONE, TWO))
        .isEqualTo(
            result(
                """
                {"prompts":[{"name":"two_p"}]}\
                """));
    pages.clear();
    assertThat(listed(ListAggregator.PROMPTS, null, ONE, TWO)).isEqualTo(new Ended.Failure(NONE));
  }

  @Test
  void withoutAFailedSourceThePageIsPartial() {
    pages.put("one tools/list null", "{\"tools\":7}");
    pages.put(
        "two tools/list null",
        """
        {"tools":[{"name":"a"}]}\
        """);

    Ended noTools =
        new Ended.Failure(new UpstreamError("one", null, "no list of tools", null, null));
    assertThat(listed(ListAggregator.TOOLS, null, ONE, TWO))
        .isEqualTo(
            new Ended.Result(
                """
                {"tools":[{"name":"two_a"}],"_meta":{"gatebook/partial":true}}\
                """,
                false,
                List.of(new MissingPart(ONE, noTools))));
  }

  @Test
  void anEndlessOrInvalidListFails() {
    pages.put(
        "one tools/list null",
        """
        {"tools":[],"nextCursor":"m"}\
        """);
    pages.put(
        """
        one tools/list {"cursor":"m"}\
        """,
        """
        {"tools":[],"nextCursor":"m"}\
        """);
    pages.put("two tools/list null", "{\"tools\":7}");

    assertThat(listed(ListAggregator.TOOLS, null, ONE, TWO))
        .isEqualTo(
            new Ended.Failure(new UpstreamError("one", null, "no list of tools", null, null)));
    assertThat(requests).hasSize(MergedList.PAGES_MAX + 1);
  }

  @Test
  void endlessListOfTasksIsCut() {
    pages.put("one tasks/list null", TASKS_WITH_NEXT);
    pages.put(
        """
        one tasks/list {"cursor":"m"}\
        """,
        TASKS_WITH_NEXT);
    pages.put("two tasks/list null", "{\"tasks\":7}");
    SourceTaskMethods tasks = new SourceTaskMethods();
    Rules rules = FixedToolsUpstream.rules(ONE, TWO);
    DialectCall call = new DialectCall("tools/call", null, ObjectMembers.of(null), null, rules);
    tasks.onEnded(call, ONE, "joe", new Ended.Result("{\"task\":{\"taskId\":\"t\"}}", false));

    Ended listed =
        tasks
            .answer(
                new DialectCall("tasks/list", null, ObjectMembers.of(null), null, rules),
                context(rules))
            .join();

    assertThat(listed)
        .isEqualTo(
            result(
                "{\"tasks\":[%s]}"
                    .formatted(
                        String.join(
                            ",",
                            Collections.nCopies(MergedList.PAGES_MAX, "{\"taskId\":\"t\"}")))));
    assertThat(requests).hasSize(MergedList.PAGES_MAX + 1);
  }

  @Test
  void statelessMetadataGoesWithEveryPage() {
    String meta =
        """
        {"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}\
        """;
    pages.put(
        "one tools/list " + meta,
        """
        {"tools":[],"nextCursor":"m"}\
        """);
    pages.put(
        """
        one tools/list {"cursor":"m",\
        """
            + meta.substring(1),
        """
        {"tools":[{"name":"b"}]}\
        """);
    pages.put("two tools/list " + meta, "{\"tools\":[]}");

    assertThat(listed(ListAggregator.TOOLS, meta, ONE, TWO))
        .isEqualTo(
            result(
                """
                {"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[{"name":"b"}]}\
                """));
  }

  private static final String TASKS_WITH_NEXT =
      """
      {"tasks":[{"taskId":"t"},{"taskId":"of-ann"}],"nextCursor":"m"}\
      """;
  private static final Fault NONE =
      new UpstreamError("any", -32_601, "Method not found", null, null);

  private AnswerContext context(Rules rules) {
    return new AnswerContext(
        new UUID(0, 1),
        "c-1",
        "joe",
        new RoutingSnapshot(rules, Map.of(), null),
        "1",
        Map.of(),
        ClientChannel.NONE,
        this::page,
        CallerTasks.NONE);
  }

  private Ended listed(ListAggregator what, @Nullable String params, Source... sources) {
    Rules rules = FixedToolsUpstream.rules(sources);
    String method =
        switch (what) {
          case TOOLS -> "tools/list";
          case RESOURCES -> "resources/list";
          case TEMPLATES -> "resources/templates/list";
          case PROMPTS -> "prompts/list";
        };
    return what.answer(
            new DialectCall(method, params, ObjectMembers.of(params), null, rules), context(rules))
        .join();
  }

  private CompletableFuture<Ended> page(Source source, String method, @Nullable String params) {
    String request = source.id() + " " + method + " " + params;
    requests.add(request);
    String page = pages.get(request);
    return CompletableFuture.completedFuture(page == null ? new Ended.Failure(NONE) : result(page));
  }

  private static Ended result(String json) {
    return new Ended.Result(json, false);
  }
}
