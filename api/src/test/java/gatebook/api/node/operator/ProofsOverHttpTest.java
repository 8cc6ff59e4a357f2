package gatebook.api.node.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.node.NodeCaller;
import gatebook.api.node.WatchedNode;
import gatebook.events.CallReceived;
import gatebook.events.journal.tree.InclusionVerifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Proofs of a node, verified from the answer alone. */
@Timeout(600)
final class ProofsOverHttpTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final Path VECTOR =
      Path.of(
          Objects.requireNonNull(System.getProperty("gatebook.root")),
          "api/src/test/console/proof-vector.json");
  private static final String BOB = "bobs-token";

  @TempDir private Path folder;

  private WatchedNode node;

  @BeforeEach
  void start() throws IOException {
    node =
        WatchedNode.start(
            folder,
            """
            schema: 1
            sources: [{id: demo, kind: demo}]
            governance:
              defaults: {action: forward}
              rules: [{match: "delete_*", action: deny}]
            operators:
              - {name: alice, token_hash: "%s", roles: [view, arguments]}
              - {name: bob, token_hash: "%s", roles: [view]}
            """
                .formatted(WatchedNode.hash(NodeCaller.ALICE), WatchedNode.hash(BOB)));
    node.provoke("denied", WatchedNode.toolCall("delete_all"));
  }

  @AfterEach
  void stop() {
    node.close();
  }

  @Test
  void eventsOfACallAreVerifiedFromTheAnswer() throws IOException {
    JsonNode proof = covered(NodeCaller.ALICE);

    assertThat(events(proof))
        .extracting(event -> event.path("name").asText())
        .containsExactly("CallReceived", "GateDenied", "ErrorTranslated");
    assertVerifies(proof);
    for (JsonNode event : events(proof)) {
      byte[] envelope = Base64.getDecoder().decode(event.path("envelope").asText());
      assertThat(InclusionVerifier.leaf(envelope)).isEqualTo(event.path("leafHash").asText());
    }
  }

  @Test
  void envelopesNeedTheRoleArguments() throws IOException {
    JsonNode proof = covered(BOB);

    assertThat(events(proof)).noneMatch(event -> event.has("envelope"));
    assertVerifies(proof);
  }

  @Test
  void eventIsProvenByItsPosition() throws IOException {
    covered(NodeCaller.ALICE);

    JsonNode proof = ask(NodeCaller.ALICE, "{\"position\":1}").path("result");

    assertThat(events(proof))
        .singleElement()
        .extracting(event -> event.path("name").asText())
        .isEqualTo("RulesActivated");
    assertVerifies(proof);
  }

  @Test
  void whatIsNotRecordedIsRefused() throws IOException {
    assertThat(message("{}")).isEqualTo("give either callId or position");
    assertThat(
            message(
                """
                {"position":1,"callId":"%s"}\
                """
                    .formatted(callId())))
        .isEqualTo("give either callId or position");
    assertThat(message("{\"position\":1000000}")).isEqualTo("no event is at this position");
    assertThat(message("{\"position\":0}")).isEqualTo("no event is at this position");
    assertThat(message("{\"callId\":\"0192aaaa-0000-7000-8000-00000000abcd\"}"))
        .isEqualTo("no call has this id");
  }

  /** The vector is for programs that verify proofs, as the console does. */
  @Test
  void vectorVerifies() throws IOException {
    JsonNode vector = JSON.readTree(Files.readString(VECTOR));

    assertVerifies(vector);
    for (JsonNode event : events(vector)) {
      byte[] envelope = Base64.getDecoder().decode(event.path("envelope").asText());
      assertThat(InclusionVerifier.leaf(envelope)).isEqualTo(event.path("leafHash").asText());
    }
  }

  /** The proof of the call, once a checkpoint covers all of it. */
  private JsonNode covered(String token) {
    return await()
        .until(
            () -> ask(token, "{\"callId\":\"%s\"}".formatted(callId())).path("result"),
            proof -> events(proof).stream().allMatch(event -> event.path("covered").asBoolean()));
  }

  private String callId() {
    return ((CallReceived) node.events("denied").getFirst()).callId().toString();
  }

  private String message(String params) throws IOException {
    return ask(NodeCaller.ALICE, params).at("/error/message").asText();
  }

  private JsonNode ask(String token, String params) throws IOException {
    return node.operator(token, "audit.proof", params);
  }

  private static void assertVerifies(JsonNode proof) {
    assertThat(events(proof)).isNotEmpty();
    for (JsonNode event : events(proof)) {
      assertThat(
              InclusionVerifier.verifies(
                  proof.at("/checkpoint/text").asText(),
                  proof.path("key").asText(),
                  event.path("position").asLong() - 1,
                  event.path("leafHash").asText(),
                  StreamSupport.stream(event.path("path").spliterator(), false)
                      .map(JsonNode::asText)
                      .toList()))
          .isTrue();
    }
  }

  private static List<JsonNode> events(JsonNode proof) {
    return StreamSupport.stream(proof.path("events").spliterator(), false).toList();
  }
}
