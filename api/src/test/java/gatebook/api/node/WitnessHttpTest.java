package gatebook.api.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.http.Port;
import gatebook.api.http.RawHttp;
import gatebook.events.journal.witness.ForeignLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A node as a witness of a log, over HTTP. */
class WitnessHttpTest {
  @RegisterExtension static final TestNodes NODES = new TestNodes();

  private static final String ADD = "/witness/add-checkpoint";

  private final ForeignLog log = ForeignLog.named("log.example/a").grow("a", "b", "c", "d", "e");

  private static String rules(ForeignLog known) {
    return """
    schema: 1
    sources: [{id: demo, kind: demo}]
    governance: {defaults: {action: deny}}
    limits: {witness_body_bytes_max: 8192}
    witness: {name: witness.example/w, logs: ["%s"]}
    """
        .formatted(known.key());
  }

  private static RawHttp.Answer add(WatchedNode node, String request, String... headers)
      throws IOException {
    return node.send(
        Port.CALLERS,
        ADD,
        request.getBytes(UTF_8),
        headers.length == 0 ? new String[] {"Content-Type: text/plain"} : headers);
  }

  private static RawHttp.Answer newest(WatchedNode node, ForeignLog of) throws IOException {
    return RawHttp.get(node.at(Port.CALLERS), "/witness/" + of.hash() + "/checkpoint");
  }

  /** The verifier key of the witness in a folder, as its operator gives it to logs. */
  private static String key(Path folder) throws IOException {
    return Files.readString(folder.resolve("data/witness/cosigning.pub")).strip();
  }

  private boolean isCosigned(String lines, String key, int size, long since) {
    return LongStream.rangeClosed(since, Instant.now().getEpochSecond())
        .anyMatch(at -> log.isCosigned(lines, key, size, at));
  }

  @Test
  void aLogsCheckpointIsCosignedAndServed() throws IOException {
    long since = Instant.now().getEpochSecond();
    Path folder = NODES.folder();
    WatchedNode node = NODES.own(folder, rules(log));
    String key = key(folder);

    assertThat(newest(node, log).status()).isEqualTo(404);
    RawHttp.Answer first = add(node, log.request(0, 3));
    RawHttp.Answer second =
        add(node, log.request(3, 5), "Content-Type: application/x-www-form-urlencoded");

    assertThat(first.status()).isEqualTo(200);
    assertThat(isCosigned(first.body(), key, 3, since)).isTrue();
    assertThat(isCosigned(second.body(), key, 5, since)).isTrue();
    assertThat(newest(node, log).body()).isEqualTo(log.checkpoint(5) + second.body());
  }

  @Test
  void eachRefusalHasTheStatusOfTheProtocol() throws IOException {
    WatchedNode node = NODES.own(rules(log));
    Map<String, Double> before = node.counted("gatebook_witness_");
    ForeignLog fork = log.fork().grow("f");
    add(node, log.grow("g").request(0, 6));

    RawHttp.Answer otherSize = add(node, log.request(0, 6));
    assertThat(otherSize.status()).isEqualTo(409);
    assertThat(otherSize.body()).isEqualTo("6\n");
    assertThat(otherSize.headers()).contains("content-type: text/x.tlog.size");
    assertThat(add(node, fork.request(6, 6)).status()).isEqualTo(422);
    assertThat(add(node, "old 7\n\n" + log.checkpoint(6)).status()).isEqualTo(400);
    assertThat(add(node, ForeignLog.named("log.example/a").grow("a").request(0, 1)).status())
        .isEqualTo(403);
    assertThat(add(node, ForeignLog.named("log.example/b").request(0, 0)).status()).isEqualTo(404);
    assertThat(add(node, "x".repeat(8192)).status()).isEqualTo(400);
    assertThat(add(node, "x".repeat(8193)).status()).isEqualTo(413);
    assertThat(RawHttp.get(node.at(Port.CALLERS), ADD).status()).isEqualTo(405);
    assertThat(node.increments("gatebook_witness_", before))
        .containsEntry("gatebook_witness_requests_total{status=\"422\"}", 1.0)
        .containsEntry("gatebook_witness_requests_total{status=\"413\"}", 1.0);
  }

  @Test
  void aRestartForgetsNothingAndKeepsTheKey() throws IOException {
    Path folder = NODES.folder();
    WatchedNode node = NODES.own(folder, rules(log));
    String key = key(folder);
    add(node, log.request(0, 4));
    node.close();
    WatchedNode again = NODES.own(folder, rules(log));

    assertThat(key(folder)).isEqualTo(key);
    assertThat(add(again, log.request(0, 5)).body()).isEqualTo("4\n");
    assertThat(add(again, log.request(4, 5)).status()).isEqualTo(200);
  }

  @Test
  void whatCannotBeStoredIsNotCosigned() throws IOException {
    Path folder = NODES.folder();
    WatchedNode node = NODES.own(folder, rules(log));
    Path file = folder.resolve("data/witness/" + log.hash() + ".checkpoint");
    Files.createDirectory(file);

    assertThat(add(node, log.request(0, 4)).status()).isEqualTo(503);
    Files.delete(file);
    assertThat(add(node, log.request(0, 4)).status()).isEqualTo(200);
  }

  @Test
  void aNodeWithoutTheSectionIsNoWitness() throws IOException {
    WatchedNode node = NODES.shared(WatchedNode.SAMPLE_RULES);

    assertThat(add(node, log.request(0, 3)).status()).isEqualTo(404);
    assertThat(newest(node, log).status()).isEqualTo(404);
  }
}
