package gatebook.api.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.http.RawHttp;
import gatebook.events.CallEvent;
import gatebook.events.ErasureBegun;
import gatebook.events.ErasureCompleted;
import gatebook.events.ErasureRefused;
import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Erasing content through a whole node. */
@Timeout(300)
final class ContentErasureTest {
  private static final String RULES =
      """
      schema: 1
      sources: [{id: demo, kind: demo}]
      governance:
        defaults: {action: forward}
        rules:
          - {match: "deploy", action: approve, approval: people}
      approval: {people: {timeout: 10m}}
      """
          + NodeCaller.people("view, approve, arguments, admin");

  @TempDir private Path folder;
  private WatchedNode node;

  @BeforeEach
  void start() throws IOException {
    node = WatchedNode.start(folder, RULES);
  }

  @AfterEach
  void stop() {
    node.close();
  }

  @Test
  void contentOfOnePrincipalIsErasedAndOthersStay() throws IOException {
    UUID joes = call(NodeCaller.JOE, "a", "said by joe");
    UUID anns = call(NodeCaller.ANN, "b", "said by ann");
    JsonNode denials = operator("audit.errors", "{}");

    JsonNode result = operator("content.forget", forget("joe"));

    assertThat(result.path("outcome").asText()).isEqualTo("erased");
    assertThat(result.path("keys").asInt()).isEqualTo(1);
    assertThat(lookup(joes)).doesNotContain("said by joe").contains("\"erased\"");
    assertThat(lookup(anns)).contains("said by ann");
    assertThat(operator("audit.verify", "{}").path("clean").asBoolean()).isTrue();
    assertThat(operator("audit.errors", "{}").path("groups")).isEqualTo(denials.path("groups"));
    assertThat(node.events()).hasAtLeastOneElementOfType(ErasureBegun.class);
    assertThat(node.events().stream().filter(ErasureCompleted.class::isInstance))
        .singleElement()
        .isEqualTo(new ErasureCompleted(UUID.fromString(result.path("erasureId").asText()), 1, 0));
  }

  @Test
  void aHeldCallOfThePrincipalEnds() throws IOException {
    CompletableFuture<RawHttp.Answer> joes =
        node.hold("held", deploy("said by joe"), NodeCaller.bearer(NodeCaller.JOE));
    CompletableFuture<RawHttp.Answer> anns =
        node.hold("other", deploy("said by ann"), NodeCaller.bearer(NodeCaller.ANN));

    JsonNode result = operator("content.forget", forget("joe"));

    assertThat(result.path("heldCalls").asInt()).isEqualTo(1);
    assertThat(joes.join().body()).contains("-32007");
    assertThat(anns).isNotDone();
    node.decide("other", false, "the end");
    assertThat(anns.join().body()).contains("-32007");
  }

  @Test
  void theReasonOfADecisionGoesWithTheCall() throws IOException {
    var _ = node.hold("held", deploy("said by joe"), NodeCaller.bearer(NodeCaller.JOE));
    node.decide("held", false, "joe is ill");
    assertThat(operator("content.find", "{\"containing\":\"is ill\"}").path("calls"))
        .singleElement()
        .extracting(found -> found.at("/events/0").asText())
        .isEqualTo("ApprovalRejected");

    operator("content.forget", forget("joe"));

    assertThat(operator("content.find", "{\"containing\":\"is ill\"}").path("calls")).isEmpty();
  }

  @Test
  void aHeldTaskOfThePrincipalEnds() throws IOException {
    String task = UUID.randomUUID().toString();
    node.joe()
        .flow(
            "tasks.execute",
            """
            {"tasks":[{"id":"%s","name":"one","schemas":{"method":"deploy"},\
            "inputs":{"version":"said by joe"}}]}\
            """
                .formatted(task));
    await().until(() -> !operator("approvals.list", "{}").path("approvals").isEmpty());

    JsonNode result = operator("content.forget", forget("joe"));

    assertThat(result.path("heldCalls").asInt()).isEqualTo(1);
    await()
        .until(() -> operator("audit.trees", "{}").at("/trees/0/status").asText().equals("failed"));
  }

  @Test
  void aLegalHoldForbidsIt() throws IOException {
    UUID call = call(NodeCaller.JOE, "a", "said by joe");
    node.change(
        "gatebook.yaml", RULES + "legal_hold: [{name: case 7, call: %s}]\n".formatted(call));

    JsonNode result = operator("content.forget", forget("joe"));

    assertThat(result.path("outcome").asText()).isEqualTo("refused");
    assertThat(result.path("holds").toString()).isEqualTo("[\"case 7\"]");
    assertThat(lookup(call)).contains("said by joe");
    assertThat(node.events()).hasAtLeastOneElementOfType(ErasureRefused.class);
    assertThat(node.events()).doesNotHaveAnyElementsOfTypes(ErasureBegun.class);
    assertThat(operator("content.forget", forget("ann")).path("outcome").asText())
        .isEqualTo("nothing-to-erase");
  }

  @Test
  void contentIsFoundByItsText() throws IOException {
    UUID call = call(NodeCaller.JOE, "a", "said by joe");
    call(NodeCaller.ANN, "b", "said by ann");

    JsonNode found = operator("content.find", "{\"containing\":\"by joe\"}");

    assertThat(found.path("calls").size()).isEqualTo(1);
    assertThat(found.at("/calls/0/callId").asText()).isEqualTo(call.toString());
    assertThat(found.at("/calls/0/principal").asText()).isEqualTo("joe");
    assertThat(operator("content.find", "{\"containing\":\"case 7\"}").path("calls")).isEmpty();
  }

  @Test
  void aDryRunCountsAndErasesNothing() throws IOException {
    UUID call = call(NodeCaller.JOE, "a", "said by joe");

    JsonNode result =
        operator("content.forget", "{\"principal\":\"joe\",\"reason\":\"asked\",\"dryRun\":true}");

    assertThat(result.path("keys").asInt()).isEqualTo(1);
    assertThat(result.path("calls").asInt()).isEqualTo(1);
    assertThat(result.path("notReached").asInt()).isZero();
    assertThat(lookup(call)).contains("said by joe");
  }

  private UUID call(String token, String correlationId, String text) throws IOException {
    node.post(
        "/mcp",
        correlationId,
        WatchedNode.toolCall("echo", "{\"note\":\"%s\"}".formatted(text)).getBytes(UTF_8),
        NodeCaller.bearer(token));
    return node.events(correlationId).stream()
        .map(event -> ((CallEvent) event).callId())
        .findFirst()
        .orElseThrow();
  }

  private static String deploy(String text) {
    return WatchedNode.toolCall("deploy", "{\"version\":\"%s\"}".formatted(text));
  }

  private static String forget(String principal) {
    return "{\"principal\":\"%s\",\"reason\":\"asked\"}".formatted(principal);
  }

  private String lookup(UUID call) throws IOException {
    return operator("audit.lookup", "{\"id\":\"%s\"}".formatted(call)).toString();
  }

  private JsonNode operator(String method, String params) throws IOException {
    JsonNode response = node.operator(NodeCaller.ALICE, method, params);
    assertThat(response.has("result")).as(response.toString()).isTrue();
    return response.path("result");
  }
}
