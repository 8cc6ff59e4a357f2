package gatebook.api.node.casefile;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import gatebook.api.node.NodeCaller;
import gatebook.api.node.TestNodes;
import gatebook.api.node.WatchedNode;
import gatebook.events.journal.checkpoint.VerifierKey;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Archives from strangers: both checkers refuse them in a sentence and in little memory. */
@Timeout(300)
final class HostileArchivesTest {
  @RegisterExtension static final TestNodes NODES = new TestNodes();

  /** How much a checker may allocate for each byte of the archive, and in any case. */
  private static final int BYTES_FOR_EACH = 40;

  private static final int BYTES = 1 << 20;

  private static CaseCheckers checkers;
  private static VerifierKey key;
  private static byte[] file;

  @BeforeAll
  static void make() throws IOException {
    checkers = CaseCheckers.in(NODES.folder());
    WatchedNode node = NODES.shared(CaseKind.RULES);
    key = node.journal().verifier();
    file = CaseKind.caseFile(node, NodeCaller.ALICE, CaseKind.tool(node, "delete_all"));
    var _ = checkers.accepted(file, key);
  }

  @ParameterizedTest
  @EnumSource
  void hostileArchiveIsRefusedInLittleMemory(HostileArchive hostile) {
    byte[] archive = hostile.from(file);
    long most = BYTES + (long) BYTES_FOR_EACH * archive.length;

    long before = allocated();
    assertRefused(archive);
    long after = allocated();

    assertThat(after - before).isLessThan(most);
  }

  @Test
  void everyTruncationIsRefused() {
    for (int length = 0; length < file.length; length++) {
      assertRefused(Arrays.copyOf(file, length));
    }
  }

  private static void assertRefused(byte[] archive) {
    assertThat(checkers.refused(archive, key)).matches("[ -~]{10,200}");
  }

  private static long allocated() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
  }
}
