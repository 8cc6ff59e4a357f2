package gatebook.api.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class NodeLivenessTest {

  private static final String OWN = ManagementFactory.getRuntimeMXBean().getName();
  private static final String HERE = OWN.substring(OWN.indexOf('@'));

  @Test
  void onlyEarlierCallsUnderThisProcessesNameAreOrphaned() {
    assertThat(isOrphanedInEmbedded(OWN, Instant.now())).isFalse();
    assertThat(isOrphanedInEmbedded(OWN, Instant.now().minus(Duration.ofDays(9)))).isTrue();
  }

  @Test
  void callOfAnotherRunningProcessIsNotOrphaned() {
    long running = ProcessHandle.current().parent().orElseThrow().pid();

    assertThat(isOrphanedInEmbedded(running + HERE, Instant.now())).isFalse();
    assertThat(NodeLiveness.orphanedInShared().isOrphaned(running + HERE, Instant.now())).isFalse();
  }

  @Test
  void callIsOrphanedWhenItsProcessIdWasReused() {
    long running = ProcessHandle.current().parent().orElseThrow().pid();
    Instant before = Instant.now().minus(Duration.ofDays(900));

    assertThat(isOrphanedInEmbedded(running + HERE, before)).isTrue();
  }

  @Test
  void callOfADeadProcessIsOrphaned() throws IOException, InterruptedException {
    Process ended = new ProcessBuilder("true").start();
    int _ = ended.waitFor();

    assertThat(isOrphanedInEmbedded(ended.pid() + HERE, Instant.now())).isTrue();
    assertThat(NodeLiveness.orphanedInShared().isOrphaned(ended.pid() + HERE, Instant.now()))
        .isTrue();
  }

  @Test
  void callOfAnotherMachineIsOrphanedOnlyInEmbeddedJournal() {
    assertThat(isOrphanedInEmbedded("1@elsewhere", Instant.now())).isTrue();
    assertThat(NodeLiveness.orphanedInShared().isOrphaned("1@elsewhere", Instant.now())).isFalse();
  }

  private static boolean isOrphanedInEmbedded(String node, Instant begun) {
    return NodeLiveness.orphanedInEmbedded().isOrphaned(node, begun);
  }
}
