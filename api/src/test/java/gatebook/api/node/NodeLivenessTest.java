package gatebook.api.node;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.query.calls.OpenCall;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class NodeLivenessTest {

  private static final String OWN = ManagementFactory.getRuntimeMXBean().getName();
  private static final String HERE = OWN.substring(OWN.indexOf('@'));

  @Test
  void aCallOfThisProcessIsNotLeftAndOneOfAFormerProcessOfItsNameIs() {
    assertThat(isLeftByEmbedded(OWN, Instant.now())).isFalse();
    assertThat(isLeftByEmbedded(OWN, Instant.now().minus(Duration.ofDays(9)))).isTrue();
  }

  @Test
  void aCallOfAProcessThatRunsBesideUsIsNotLeft() {
    long beside = ProcessHandle.current().parent().orElseThrow().pid();

    assertThat(isLeftByEmbedded(beside + HERE, Instant.now())).isFalse();
    assertThat(NodeLiveness.ofShared().test(call(beside + HERE, Instant.now()))).isFalse();
  }

  @Test
  void aCallOfAProcessThatWasGivenAnothersIdLaterIsLeft() {
    long beside = ProcessHandle.current().parent().orElseThrow().pid();
    Instant before = Instant.now().minus(Duration.ofDays(900));

    assertThat(isLeftByEmbedded(beside + HERE, before)).isTrue();
  }

  @Test
  void aCallOfAProcessThatEndedIsLeft() throws IOException, InterruptedException {
    Process ended = new ProcessBuilder("true").start();
    int _ = ended.waitFor();

    assertThat(isLeftByEmbedded(ended.pid() + HERE, Instant.now())).isTrue();
    assertThat(NodeLiveness.ofShared().test(call(ended.pid() + HERE, Instant.now()))).isTrue();
  }

  @Test
  void ofAnotherMachineNobodyWritesToAnEmbeddedJournalAndWhoRunsThereNobodyKnows() {
    assertThat(isLeftByEmbedded("1@elsewhere", Instant.now())).isTrue();
    assertThat(NodeLiveness.ofShared().test(call("1@elsewhere", Instant.now()))).isFalse();
  }

  private static boolean isLeftByEmbedded(String node, Instant receivedAt) {
    return NodeLiveness.ofEmbedded().test(call(node, receivedAt));
  }

  private static OpenCall call(String node, Instant receivedAt) {
    return new OpenCall(UUID.randomUUID(), "c", node, receivedAt, null, true, false);
  }
}
