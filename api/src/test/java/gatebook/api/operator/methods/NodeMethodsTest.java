package gatebook.api.operator.methods;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.operator.rpc.OperatorTestNode;
import gatebook.command.rules.GatewayLimits;
import gatebook.events.OperatorActed;
import gatebook.events.journal.storage.StoredCheckpoint;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NodeMethodsTest {
  private static final Duration AGE = Duration.ofHours(12);
  private static final String NOW = "2026-01-02T15:04:05.000000006Z";
  private static final JsonMapper JSON = new JsonMapper();

  @TempDir private Path data;

  private OperatorTestNode node;

  @BeforeEach
  void start() throws Exception {
    node =
        new OperatorTestNode(
            data,
            List::of,
            GatewayLimits.DEFAULT,
            Clock.fixed(OperatorTestNode.AT.plus(AGE), ZoneOffset.UTC));
  }

  @AfterEach
  void stop() {
    node.close();
  }

  @Test
  void statusShowsJournalDiskSourcesAndNodes() throws Exception {
    node.append(new OperatorActed("alice", "audit.calls", null, null, true));
    ask("audit.verify");
    await().until(() -> covered() == 2);
    long batches = node.journal().figures().batches();
    long forcedWrites = node.journal().figures().forcedWrites();

    JsonNode status = ask("node.status");

    long bytes = status.at("/journal/bytes").asLong();
    long freeBytes = status.at("/disk/freeBytes").asLong();
    long viewsBytes = status.at("/disk/viewsBytes").asLong();
    assertThat(List.of(bytes, freeBytes, viewsBytes)).allMatch(it -> it > 0);
    assertThat(batches).isEqualTo(2);
    assertThat(forcedWrites).isBetween(3L, 4L); // each batch, and one or two checkpoints after them
    assertThat(status.toString())
        .isEqualTo(
            """
            {"node":"%s","version":"1.2.3","startedAt":"%s","journal":{"position":2,\
            "durability":"power","queueEvents":0,"batches":%d,"forcedWrites":%d,\
            "lastCheckpoint":{"position":2,"at":"%s"},\
            "lastVerification":{"at":"%s","by":"operator","ok":true,"position":1},\
            "bytes":%d,"droppedThrough":null},"disk":{"freeBytes":%d,"totalBytes":%d,"journalBytes":%d,\
            "viewsBytes":%d,"growthBytesPerDay":%d},"sources":[{"id":"tools","kind":"mcp",\
            "enabled":true,"calls":8,"errors":1,"failing":true,"p50Millis":1.5,"p99Millis":20.25},\
            {"id":"demo","kind":"demo","enabled":false,"calls":null,"errors":null,"failing":null,\
            "p50Millis":null,"p99Millis":null}],"anchors":[{"name":"vault","kind":"directory","size":7,\
            "at":"2026-01-02T03:04:05Z","failure":null},{"name":"notary","kind":"endpoint","size":null,\
            "at":null,"failure":"it answered with the status 503"}],"nodes":[{"name":"%s","lastEventAt":"%s"}],\
            "witnesses":null,"witness":null}\
            """
                .formatted(
                    node.journal().node(),
                    ProcessHandle.current().info().startInstant().orElseThrow(),
                    batches,
                    forcedWrites,
                    NOW,
                    NOW,
                    bytes,
                    freeBytes,
                    data.toFile().getTotalSpace(),
                    bytes,
                    viewsBytes,
                    2 * bytes,
                    node.journal().node(),
                    NOW));
  }

  @Test
  void whatAnEmptyJournalCannotTellIsNull() throws Exception {
    JsonNode status = ask("node.status");

    assertThat(status.at("/journal/lastCheckpoint"))
        .isEqualTo(JSON.readTree("{\"position\":0,\"at\":null}"));
    assertThat(status.at("/journal/lastVerification").isNull()).isTrue();
    assertThat(status.at("/disk/growthBytesPerDay").isNull()).isTrue();
    assertThat(status.at("/nodes"))
        .isEqualTo(
            JSON.createArrayNode()
                .add(
                    JSON.createObjectNode()
                        .put("name", node.journal().node())
                        .putNull("lastEventAt")));
  }

  @Test
  void aFailedVerificationIsRemembered() throws Exception {
    node.call(call("audit.verify", "{\"against\":[\"no note\"]}"));

    assertThat(ask("node.status").at("/journal/lastVerification").toString())
        .isEqualTo(
            """
            {"at":"%s","by":"operator","ok":false,"position":0}\
            """
                .formatted(NOW));
  }

  @Test
  void aVerificationHasAPlatformThreadOfItsOwn() throws Exception {
    assertThat(ask("audit.verify").path("clean").asBoolean()).isTrue();

    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .contains("journal-verifier-0");
  }

  private long covered() {
    return node.journal().newestCheckpoint().map(StoredCheckpoint::size).orElse(0L);
  }

  private JsonNode ask(String method) throws Exception {
    return JSON.readTree(node.call(call(method, "{}"))).path("result");
  }

  private static String call(String method, String params) {
    return """
    {"jsonrpc":"2.0","id":1,"method":"%s","params":%s}\
    """
        .formatted(method, params);
  }
}
