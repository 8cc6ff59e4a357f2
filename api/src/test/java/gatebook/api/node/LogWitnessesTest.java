package gatebook.api.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.flow.WebhookReceiver;
import gatebook.api.http.Port;
import gatebook.events.CosignatureRefused;
import gatebook.events.RollbackFound;
import gatebook.events.journal.JournalState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A node whose checkpoints another node cosigns, over HTTP. */
class LogWitnessesTest {
  @RegisterExtension static final TestNodes NODES = new TestNodes();

  private static final String RULES =
      """
      schema: 1
      sources: [{id: demo, kind: demo}]
      governance: {defaults: {action: deny}}
      operators: [{name: alice, token_hash: "%s", roles: [view]}]
      """
          .formatted(WatchedNode.hash(NodeCaller.ALICE));

  private static String witness(WatchedNode log) {
    return RULES
        + "witness: {name: witness.example/w, logs: [\"%s\"]}\n"
            .formatted(log.journal().verifier().text());
  }

  private static String asking(String key, String url) {
    return RULES
        + """
        witnesses:
          interval: 1s
          policy: |
            witness w %s %s
            quorum w
        """
            .formatted(key, url);
  }

  private static String key(Path folder) throws IOException {
    return Files.readString(folder.resolve("data/witness/cosigning.pub")).strip();
  }

  private static String url(WatchedNode witness) {
    return "http://127.0.0.1:%d/witness".formatted(witness.at(Port.CALLERS).port());
  }

  private static JsonNode status(WatchedNode node) throws IOException {
    return node.operator(NodeCaller.ALICE, "node.status", "{}").path("result");
  }

  @Test
  void theNewestCheckpointIsCosignedInTheBackgroundAndShown() throws IOException {
    WatchedNode log = NODES.own(RULES);
    Path folder = NODES.folder();
    WatchedNode witness = NODES.own(folder, witness(log));
    assertThat(status(log).path("witnesses").isNull()).isTrue();
    assertThat(log.counted("gatebook_cosigned_"))
        .containsEntry("gatebook_cosigned_age_seconds", Double.NaN);

    log.change("gatebook.yaml", asking(key(folder), url(witness)));
    long position = log.journal().head();

    await()
        .until(() -> status(log).at("/witnesses/cosigned/position").asLong(), it -> it >= position);
    JsonNode asked = status(log).at("/witnesses/witnesses/0");
    assertThat(asked.path("name").textValue()).isEqualTo("w");
    assertThat(asked.path("key").textValue()).isEqualTo(key(folder));
    assertThat(asked.path("failure").isNull()).isTrue();
    assertThat(log.counted("gatebook_cosigned_").get("gatebook_cosigned_age_seconds"))
        .isBetween(0.0, 120.0);
    assertThat(log.counted("gatebook_witnesses_"))
        .containsEntry(
            "gatebook_witnesses_failures_total{reason=\"inconsistent\",witness=\"w\"}", 0.0);
    assertThat(status(witness).at("/witness/name").textValue()).isEqualTo("witness.example/w");
    assertThat(status(witness).at("/witness/logs/0").textValue())
        .isEqualTo(log.journal().verifier().name());
  }

  @Test
  void aNodeThatIsPutBackTakesNoEvents() throws IOException {
    Path folder = NODES.folder();
    WatchedNode log = NODES.own(folder, RULES);
    Path ofWitness = NODES.folder();
    WatchedNode witness = NODES.own(ofWitness, witness(log));
    String asking = asking(key(ofWitness), url(witness));
    log.close();
    Path data = folder.resolve("data");
    Path older = folder.resolve("older");
    copy(data, older);
    WatchedNode later = NODES.own(folder, asking);
    for (int i = 0; i < 20; i++) {
      var _ = status(later);
    }
    long position = later.journal().head();
    await()
        .until(
            () -> status(later).at("/witnesses/cosigned/position").asLong(), it -> it >= position);
    later.close();
    Files.move(data, folder.resolve("newer"));
    Files.move(older, data);

    WatchedNode putBack = NODES.own(folder, asking);

    await().until(() -> putBack.journal().state() instanceof JournalState.RolledBack);
    assertThat(putBack.events()).anyMatch(RollbackFound.class::isInstance);
    assertThat(putBack.counted("gatebook_journal_"))
        .containsEntry("gatebook_journal_rolled_back", 1.0);
    assertThat(putBack.get("/ready").body()).contains("\"journal\":\"rolled-back\"");
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
  }

  @Test
  void aRefusalIsAnEventAndAFailure() throws IOException {
    try (WebhookReceiver receiver = new WebhookReceiver()) {
      WatchedNode log = NODES.own(RULES);
      Path folder = NODES.folder();
      WatchedNode _ = NODES.own(folder, witness(log));
      receiver.respond(422, Map.of(), "the proof is wrong\n");

      log.change("gatebook.yaml", asking(key(folder), receiver.url("")));

      await().until(() -> log.events().stream().anyMatch(CosignatureRefused.class::isInstance));
      await()
          .until(
              () -> status(log).at("/witnesses/witnesses/0/failure").asText(),
              it -> it.startsWith("inconsistent: "));
      assertThat(log.counted("gatebook_witnesses_"))
          .hasEntrySatisfying(
              "gatebook_witnesses_failures_total{reason=\"inconsistent\",witness=\"w\"}",
              it -> assertThat(it).isPositive());
    }
  }
}
