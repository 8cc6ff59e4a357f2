package gatebook.api.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.api.operator.rpc.OperatorTestNode;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import gatebook.events.Event;
import gatebook.events.Proof;
import io.netty.util.internal.PlatformDependent;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** The memory that a tail reader uses while it reads nothing. */
@Timeout(300)
@Isolated("measures the memory of this process")
final class TailMemoryTest {
  private static final UUID CALL = UUID.fromString("0192aaaa-0000-7000-8000-00000000abcd");
  private static final int PAYLOAD_CHARS = 40_000;
  private static final int MANY = Proof.rounds(1_000, 2_000);
  private static final long KEPT_BYTES_MAX = MANY * (24L << 10);

  @TempDir private Path data;

  @Test
  void aReaderThatPausesBlocksNothingAndMissesNothing() throws Exception {
    String text = "x".repeat(PAYLOAD_CHARS);
    try (OperatorTestNode node = node();
        TailStream stream = TailStream.following(node, "")) {
      long before = keptBytes();
      for (int i = 0; i < MANY; i += 100) {
        Event[] events = new Event[100];
        Arrays.setAll(events, _ -> TailControllerTest.received(CALL, text));
        node.append(events);
      }

      await("of %d MB that wait".formatted((long) MANY * PAYLOAD_CHARS / 1_000_000))
          .pollInterval(Duration.ofSeconds(1)) // the views may still be reading
          .untilAsserted(() -> assertThat(keptBytes() - before).isLessThan(KEPT_BYTES_MAX));
      assertThat(stream.positions(MANY))
          .isEqualTo(LongStream.rangeClosed(2, MANY + 1).boxed().toList());
    }
  }

  /** A node that never disconnects a stalled reader during the test. */
  private OperatorTestNode node() throws IOException {
    GatewayLimits gatewayLimits =
        GatewayLimits.DEFAULT.with(Limit.TAIL_STALLED_MILLIS_MAX, 3_600_000);
    return new OperatorTestNode(data, List::of, Optional.empty(), gatewayLimits);
  }

  /** The bytes in use on the heap and in the buffers of connections. */
  @SuppressWarnings("BanExplicitGc") // garbage does not count
  private static long keptBytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed()
        + PlatformDependent.usedDirectMemory();
  }
}
