package gatebook.api.node.casefile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.api.casefile.CaseVerdict;
import gatebook.api.node.NodeCaller;
import gatebook.api.node.TestNodes;
import gatebook.api.node.WatchedNode;
import gatebook.events.journal.PostgresServer;
import gatebook.events.journal.archive.DirectoryTarget;
import gatebook.events.journal.segment.SegmentLocation;
import gatebook.events.journal.segment.archive.SegmentRetention;
import gatebook.events.journal.storage.JournalSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Case files of events that went from the journal to an archive. */
@Timeout(300)
final class CasePlacesTest {
  @RegisterExtension static final TestNodes NODES = new TestNodes();

  private static final int PARTITION = 100;

  private static CaseCheckers checkers;

  @BeforeAll
  static void compile() {
    checkers = CaseCheckers.in(NODES.folder());
  }

  @Test
  void archivedSegmentsAreProved() throws IOException {
    Path folder = NODES.folder();
    assertProved(
        folder, new SegmentLocation(folder.resolve("data/journal")).with(to(NODES.folder())));
  }

  @Test
  void archivedPartitionsAreProved() throws IOException {
    try (PostgresServer server = PostgresServer.start()) {
      assertProved(
          NODES.folder(), server.location().withPartitions(PARTITION).with(to(NODES.folder())));
    }
  }

  private static SegmentRetention to(Path archive) {
    return new SegmentRetention(
        Optional.of(Duration.ZERO),
        OptionalLong.empty(),
        Duration.ZERO,
        Optional.of(() -> DirectoryTarget.open(archive)),
        Duration.ofMillis(50));
  }

  /** Every call has the same events before and after they went to the archive. */
  private static void assertProved(Path folder, JournalSettings.Location location)
      throws IOException {
    try (WatchedNode node = WatchedNode.start(folder, CaseKind.RULES, location)) {
      Map<String, CaseVerdict.Accepted> accepted = new LinkedHashMap<>();
      for (CaseKind kind : CaseKind.values()) {
        String id = kind.provocation.provoke(node);
        accepted.put(id, accepted(node, id));
      }
      long position = node.journal().head();
      await()
          .until(() -> {
            CaseKind.tool(node, "echo");
            return node.journal().isArchived(position);
          });

      for (var before : accepted.entrySet()) {
        assertThat(accepted(node, before.getKey()).events()).isEqualTo(before.getValue().events());
      }
    }
  }

  private static CaseVerdict.Accepted accepted(WatchedNode node, String id) throws IOException {
    return checkers.accepted(
        CaseKind.caseFile(node, NodeCaller.ALICE, id), node.journal().verifier());
  }
}
