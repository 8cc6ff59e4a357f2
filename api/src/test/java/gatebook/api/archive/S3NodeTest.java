package gatebook.api.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.casefile.CaseVerdict;
import gatebook.api.cli.CommandRun;
import gatebook.api.cli.backup.BackupCommand;
import gatebook.api.cli.backup.RestoreCommand;
import gatebook.api.http.Port;
import gatebook.api.node.NodeCaller;
import gatebook.api.node.WatchedNode;
import gatebook.api.node.casefile.CaseCheckers;
import gatebook.events.journal.segment.SegmentLocation;
import gatebook.events.journal.segment.archive.SegmentRetention;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node with its archive, and its backups, in a bucket of S3. */
@Timeout(180)
final class S3NodeTest {
  private static final String RULES =
      """
      schema: 1
      sources: [{id: demo, kind: demo}]
      governance: {defaults: {action: forward}}
      """
          + NodeCaller.people("view, arguments, admin");
  private static final int CALLS = 40;

  @TempDir private Path folder;

  private S3Server server;

  @BeforeEach
  void start() throws IOException {
    server = S3Server.start();
    server.properties().forEach(System::setProperty);
  }

  @AfterEach
  void stop() {
    server.properties().keySet().forEach(System::clearProperty);
    server.close();
  }

  @Test
  void aBucketHasArchiveAndBackupsOfARunningNode() throws IOException {
    SegmentLocation location =
        new SegmentLocation(folder.resolve("data/journal"))
            .with(
                new SegmentRetention(
                    Optional.of(Duration.ZERO),
                    OptionalLong.empty(),
                    Duration.ZERO,
                    Optional.of(() -> ArchiveAddress.parse("s3://gatebook/archive").get().open()),
                    Duration.ofMillis(50)));
    try (WatchedNode node = WatchedNode.start(folder, RULES, location);
        S3Target archive = server.target("archive/")) {
      for (int i = 0; i < CALLS; i++) {
        node.joe()
            .mcp(
                "tools/call",
                "{\"name\":\"echo\",\"arguments\":{\"note\":\"said %d\"}}".formatted(i));
      }
      await().until(() -> archive.list("segments/").size() >= 4);
    }
    try (WatchedNode node = WatchedNode.start(folder, RULES, location)) {
      JsonNode first = node.operator(NodeCaller.ALICE, "audit.calls", "{\"limit\":1000}");
      String callId = first.at("/result/calls/%d/callId".formatted(CALLS - 1)).asText();

      JsonNode found =
          node.operator(NodeCaller.ALICE, "audit.lookup", "{\"id\":\"%s\"}".formatted(callId))
              .path("result");

      assertThat(found.toString()).contains("said 0").contains("\"archived\":true");
      JsonNode made =
          node.operator(NodeCaller.ALICE, "audit.case", "{\"id\":\"%s\"}".formatted(callId))
              .path("result");
      CaseVerdict.Accepted accepted =
          CaseCheckers.in(Files.createDirectory(folder.resolve("checker")))
              .accepted(
                  Base64.getDecoder().decode(made.path("file").asText()),
                  node.journal().verifier());
      assertThat(accepted.events().toString()).contains("said 0");
      assertThat(
              node.operator(NodeCaller.ALICE, "audit.verify", "{}").at("/result/clean").asBoolean())
          .isTrue();

      List<String> running =
          List.of(
              "--url",
              "http://127.0.0.1:%d".formatted(node.at(Port.ADMIN).port()),
              "--token",
              NodeCaller.ALICE);
      CommandRun backup = CommandRun.of(new BackupCommand(), running, "s3://gatebook/backups");
      assertThat(backup.code()).isZero();
      CommandRun restored =
          CommandRun.of(
              new RestoreCommand(),
              List.of("--data", folder.resolve("restored").toString()),
              "s3://gatebook/backups");
      assertThat(restored.out()).contains("proven    a checkpoint signs all");
    }
  }
}
