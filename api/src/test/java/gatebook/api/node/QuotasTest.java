package gatebook.api.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.data.DataDirectory;
import gatebook.api.gateway.SettableClock;
import gatebook.events.CallReceived;
import gatebook.events.journal.Journals;
import gatebook.events.journal.postgres.SharedLocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Quotas of a node, as callers and operators see them. */
@Timeout(300)
final class QuotasTest {
  private static final String ECHO = "{\"name\":\"echo\",\"arguments\":{}}";

  @TempDir private Path folder;

  private static String rules(String quotas) {
    return """
    schema: 1
    sources: [{id: demo, kind: demo}]
    governance:
      defaults: {action: forward}
      rules: [{match: "delete_*", action: deny}]
    limits:
      quotas: [%s]
    """
            .formatted(quotas)
        + NodeCaller.people("view, approve, arguments, admin");
  }

  @Test
  void aBudgetCountsWhatIsForwardedAndSurvivesARestart() throws Exception {
    SameDay.run(this::budgetIsCountedOverARestart);
  }

  private void budgetIsCountedOverARestart() throws IOException {
    String rules = rules("{name: echoes, principals: [joe], tools: [\"ech*\"], calls_per_day: 3}");
    try (WatchedNode node = WatchedNode.start(folder, rules)) {
      NodeReply counted = node.joe().mcp("tools/call", ECHO);
      counted.result();
      assertThat(((CallReceived) counted.events().getFirst()).budgets()).containsExactly("echoes");
      assertThat(node.joe().mcp("tools/call", "{\"name\":\"delete_all\"}").code())
          .isEqualTo(-32014);
      NodeReply other = node.joe().mcp("tools/call", "{\"name\":\"slow\"}");
      assertThat(((CallReceived) other.events().getFirst()).budgets()).isNull();
      node.ann().mcp("tools/call", ECHO).result();
      node.joe().mcp("tools/call", ECHO).result();
    }
    try (WatchedNode node = WatchedNode.start(folder, rules)) {
      node.joe().mcp("tools/call", ECHO).result();

      NodeReply refused =
          node.joe().send("/mcp", "used-up", NodeCaller.request("tools/call", ECHO));

      assertThat(refused.error()).isEqualTo("-32009 Too many requests");
      assertThat(refused.data().path("retry_after").asLong()).isBetween(1L, 86_400L);
      assertThat(refused.events())
          .extracting(event -> event.getClass().getSimpleName())
          .containsExactly("CallReceived", "CallAdmitted", "ErrorTranslated");
      assertThat(((CallReceived) refused.events().getFirst()).budgets()).isNull();
      node.ann().mcp("tools/call", ECHO).result();
      assertThat(status(node, refused)).isEqualTo("refused");
      assertThat(node.counted("gatebook_rate_limited_total"))
          .containsEntry("gatebook_rate_limited_total{limit=\"budget\"}", 1.0)
          .containsEntry("gatebook_rate_limited_total{limit=\"rate\"}", 0.0);
      JsonNode quotas = list(node, "{}");
      assertThat(quotas.at("/0/uses").toString())
          .isEqualTo("[{\"principal\":\"joe\",\"running\":0,\"usedToday\":3}]");
      assertThat(Instant.parse(quotas.at("/0/resetsAt").asText()))
          .isEqualTo(tomorrow().atStartOfDay(ZoneOffset.UTC).toInstant());
      assertThat(list(node, "{\"principal\":\"ann\"}").at("/0/uses").toString()).isEqualTo("[]");
    }
  }

  private static LocalDate tomorrow() {
    return LocalDate.now(ZoneOffset.UTC).plusDays(1);
  }

  @Test
  void aBudgetBeginsAnewAtMidnight() throws IOException {
    SettableClock clock = new SettableClock();
    Instant midnight = tomorrow().plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant();
    clock.set(midnight.minusSeconds(7));
    String rules = rules("{name: a, shared: true, calls_per_day: 1}");
    try (WatchedNode node = WatchedNode.start(folder, rules, clock, UnaryOperator.identity())) {
      node.joe().mcp("tools/call", ECHO).result();
      assertThat(node.ann().mcp("tools/call", ECHO).data().path("retry_after").asLong())
          .isEqualTo(7);

      clock.set(midnight);

      node.ann().mcp("tools/call", ECHO).result();
      assertThat(node.joe().mcp("tools/call", ECHO).data().path("retry_after").asLong())
          .isEqualTo(86_400);
    }
  }

  @Test
  void nodesOfOneDatabaseShareABudget() throws Exception {
    SameDay.run(this::budgetIsShared);
  }

  private void budgetIsShared() throws IOException {
    SharedLocation database = Journals.freshSchema();
    String rules = rules("{name: a, calls_per_day: 30}");
    Path first = Files.createDirectories(folder.resolve("first"));
    Path second = Files.createDirectories(folder.resolve("second"));
    try (WatchedNode one = WatchedNode.start(first, rules, database)) {
      copyKeys(first.resolve("data"), second.resolve("data"));
      try (WatchedNode other = WatchedNode.start(second, rules, database)) {
        int served = 0;
        for (int i = 0; i < 20; i++) {
          served += isServed(one) ? 1 : 0;
          served += isServed(other) ? 1 : 0;
        }

        assertThat(served).isEqualTo(30);
        assertThat(list(other, "{}").at("/0/uses/0/usedToday").asLong()).isEqualTo(30);
      }
      assertThat(isServed(one)).isFalse();
    }
  }

  private static boolean isServed(WatchedNode node) throws IOException {
    return node.joe().mcp("tools/call", ECHO).code() == 0;
  }

  /** Nodes that share a database share their keys. */
  private static void copyKeys(Path from, Path to) throws IOException {
    ((DataDirectory.Opening.Opened) DataDirectory.open(to)).directory().close();
    for (String key : List.of("checkpoint.key", "keys/wrapping.key")) {
      Files.createDirectories(to.resolve(key).getParent());
      Files.copy(from.resolve(key), to.resolve(key), StandardCopyOption.COPY_ATTRIBUTES);
    }
  }

  /** Each dialect tells it in its own words; HTTP's header has the seconds where HTTP tells it. */
  @ParameterizedTest
  @CsvSource({
    "/mcp, tools/call, '{\"name\":\"echo\"}', 200, -32009",
    "/rpc, tools/call, '{\"name\":\"echo\"}', 200, -32009",
    "/a2a/v1, SendMessage, MESSAGE, 429, -32603",
  })
  void everyDialectTellsThatABudgetIsUsedUp(
      String path, String method, String params, int status, int code) throws IOException {
    try (WatchedNode node =
        WatchedNode.start(folder, rules("{name: a, calls_per_day: 1, shared: true}"))) {
      node.ann().mcp("tools/call", ECHO).result();

      NodeReply reply =
          node.joe()
              .post(
                  path,
                  method,
                  params.equals("MESSAGE")
                      ? """
                      {"message":{"messageId":"m","role":"ROLE_USER","parts":[{"data":{}}],\
                      "metadata":{"skillId":"echo"}}}\
                      """
                      : params);

      assertThat(reply.status()).as(reply.response().toString()).isEqualTo(status);
      assertThat(reply.code()).isEqualTo(code);
      assertThat(reply.headers().stream().anyMatch(it -> it.startsWith("retry-after:")))
          .isEqualTo(status == 429);
    }
  }

  private static String status(WatchedNode node, NodeReply reply) throws IOException {
    return node.alice()
        .operator("audit.lookup", "{\"id\":\"%s\"}".formatted(reply.correlationId()))
        .result()
        .at("/calls/0/status")
        .asText();
  }

  private static JsonNode list(WatchedNode node, String params) throws IOException {
    return node.alice().operator("quotas.list", params).result().path("quotas");
  }
}
