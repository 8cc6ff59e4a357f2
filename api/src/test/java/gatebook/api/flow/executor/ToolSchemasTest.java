package gatebook.api.flow.executor;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.mcp.FixedToolsUpstream;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.source.ScriptedUpstream;
import gatebook.command.rules.ExposeRules;
import gatebook.command.rules.Source.Kind;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The schemas of tools, and how often sources are asked for them. */
final class ToolSchemasTest {
  private static final String SCHEMA = "{\"required\":[\"n\"]}";

  private final ScriptedUpstream upstream = new ScriptedUpstream();
  private Instant now = Instant.parse("2026-10-01T12:00:00Z");
  private RoutingSnapshot routingSnapshot = snapshot();
  private final ToolSchemas toolSchemas =
      new ToolSchemas(() -> routingSnapshot, new ToolLists(() -> now));

  @BeforeEach
  void listTools() {
    upstream.listing =
        CompletableFuture.completedFuture(
            new Upstream.Listing.Tools(
                List.of(
                    new Upstream.Tool(
                        "pay", "{\"name\":\"pay\",\"inputSchema\":%s}".formatted(SCHEMA)),
                    new Upstream.Tool("any", "{\"name\":\"any\"}"))));
  }

  @Test
  void aToolIsFoundByTheNameThatCallersUse() {
    assertThat(toolSchemas.of("a_pay")).isCompletedWithValue(Optional.of(SCHEMA));
    assertThat(toolSchemas.of("a_any")).isCompletedWithValue(Optional.empty());
    assertThat(toolSchemas.of("pay")).isCompletedWithValue(Optional.empty());
  }

  @Test
  void aListIsRememberedForItsTime() {
    ask("a_pay");
    now = now.plusMillis(59_999);
    ask("a_any");
    assertThat(upstream.listings).hasValue(1);

    now = now.plusMillis(1);
    ask("a_pay");
    assertThat(upstream.listings).hasValue(2);
  }

  @Test
  void newRulesForgetTheLists() {
    ask("a_pay");
    routingSnapshot = snapshot();
    ask("a_pay");

    assertThat(upstream.listings).hasValue(2);
  }

  @Test
  void manyTasksWaitForOneList() {
    upstream.listing = new CompletableFuture<>();
    List<CompletableFuture<?>> waiting = List.of(toolSchemas.of("a_pay"), toolSchemas.of("a_pay"));

    assertThat(waiting).noneMatch(CompletableFuture::isDone);
    assertThat(upstream.listings).hasValue(1);
    upstream.listing.complete(new Upstream.Listing.Tools(List.of()));
    assertThat(waiting).allMatch(CompletableFuture::isDone);
  }

  @Test
  void aListThatCannotBeHadHasNoSchemas() {
    upstream.listing =
        CompletableFuture.completedFuture(
            new Upstream.Listing.Failed(new Upstream.Response.NotConnected("refused")));
    assertThat(toolSchemas.of("a_pay")).isCompletedWithValue(Optional.empty());

    upstream.listing = CompletableFuture.failedFuture(new IllegalStateException("broken"));
    routingSnapshot = snapshot();
    assertThat(toolSchemas.of("a_pay")).isCompletedWithValue(Optional.empty());
  }

  @Test
  void aSourceThatListedNothingIsAskedAgainSoon() {
    upstream.listing =
        CompletableFuture.completedFuture(
            new Upstream.Listing.Failed(new Upstream.Response.NotConnected("refused")));
    ask("a_pay");
    now = now.plusMillis(4_999);
    ask("a_pay");
    assertThat(upstream.listings).hasValue(1);

    listTools();
    now = now.plusMillis(1);
    assertThat(toolSchemas.of("a_pay")).isCompletedWithValue(Optional.of(SCHEMA));
  }

  private void ask(String tool) {
    assertThat(toolSchemas.of(tool)).isCompleted();
  }

  private RoutingSnapshot snapshot() {
    return new RoutingSnapshot(
        FixedToolsUpstream.rules(FixedToolsUpstream.source("a", Kind.MCP, "a_", ExposeRules.ALL)),
        Map.of("a", upstream),
        null);
  }
}
