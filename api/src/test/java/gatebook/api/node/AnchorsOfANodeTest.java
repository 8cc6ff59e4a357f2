package gatebook.api.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.flow.WebhookReceiver;
import gatebook.events.journal.anchor.AnchoredNotes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The anchors of a node, from its rules to its metrics. */
@Timeout(120)
final class AnchorsOfANodeTest {
  @RegisterExtension static final TestNodes NODES = new TestNodes();

  private static final String AGE = "gatebook_anchor_age_seconds{anchor=\"%s\"}";

  @AutoClose private final WebhookReceiver endpoint = new WebhookReceiver();

  private static String rules(String anchors) {
    return """
    schema: 1
    sources: [{id: demo, kind: demo}]
    governance: {defaults: {action: forward}}
    operators: [{name: alice, token_hash: "%s", roles: [view]}]
    limits: {anchor_millis_max: 2000}
    anchors:
    %s
    """
        .formatted(WatchedNode.hash(NodeCaller.ALICE), anchors);
  }

  @Test
  void everyAnchorGetsTheNewestCheckpoint() throws IOException {
    Path folder = NODES.folder();
    Path directory = Files.createDirectory(folder.resolve("vault"));
    Path file = folder.resolve("share");
    WatchedNode node =
        NODES.own(
            folder,
            rules(
                """
                  - {name: vault, directory: "%s", every: 1s}
                  - {name: share, file: "%s", every: 1s}
                  - {name: notary, url: "%s", every: 1s, headers: {X-Key: k1}}\
                """
                    .formatted(directory, file, endpoint.url("/checkpoints"))));
    node.provoke("a", WatchedNode.toolCall("echo"));
    long head = node.journal().head();

    await()
        .untilAsserted(() -> {
          assertThat(size(directory)).isGreaterThanOrEqualTo(head);
          assertThat(size(file)).isGreaterThanOrEqualTo(head);
        });
    WebhookReceiver.Received posted = endpoint.next();
    assertThat(posted.line()).isEqualTo("POST /checkpoints");
    assertThat(posted.header("X-Key")).isEqualTo("k1");
    assertThat(AnchoredNotes.checkpoint(posted.body()).origin())
        .isEqualTo(node.journal().verifier().name());
    assertThat(node.counted("gatebook_anchor_"))
        .containsKeys(AGE.formatted("vault"), AGE.formatted("share"), AGE.formatted("notary"))
        .containsEntry("gatebook_anchor_failures_total{anchor=\"notary\"}", 0.0);
  }

  private static long size(Path place) throws IOException {
    return AnchoredNotes.checkpoint(new String(AnchoredNotes.newest(place), UTF_8)).size();
  }

  @Test
  void anOutageIsToldOnceAndNoCallWaits() throws IOException {
    endpoint.hold("gatebook/");
    WatchedNode node =
        NODES.own(
            rules(
                "  - {name: notary, url: \"%s\", every: 1s}"
                    .formatted(endpoint.url("/checkpoints?token=s3cr3t"))));
    await().until(() -> failures(node, "notary") >= 2);

    ProvokedCall call = node.provoke("a", WatchedNode.toolCall("echo"));
    JsonNode status = node.operator(NodeCaller.ALICE, "node.status", "{}").at("/result/anchors/0");

    assertThat(call.seen().answer().status()).isEqualTo(200);
    assertThat(status.path("failure").asText()).isEqualTo("no response within 2000 ms");
    assertThat(node.lines().stream().filter(line -> line.contains("\"anchor\":\"notary\"")))
        .singleElement()
        .asString()
        .contains("\"reason\":\"no response within 2000 ms\"")
        .doesNotContain("s3cr3t");
    endpoint.release();
    await()
        .until(() ->
            node.operator(NodeCaller.ALICE, "node.status", "{}")
                .at("/result/anchors/0/failure")
                .isNull());
  }

  private static double failures(WatchedNode node, String anchor) throws IOException {
    Map<String, Double> counted = node.counted("gatebook_anchor_failures");
    return counted.getOrDefault(
        "gatebook_anchor_failures_total{anchor=\"%s\"}".formatted(anchor), 0.0);
  }
}
