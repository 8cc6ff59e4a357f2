package gatebook.command.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class CallIdGeneratorTest {

  @Test
  void anIdContainsItsTimeAndVersion() {
    UUID id =
        new CallIdGenerator(InstantSource.fixed(Instant.ofEpochMilli(0x123456789abcL))).next();

    assertThat(id.toString()).startsWith("12345678-9abc-7000-");
    assertThat(id.variant()).isEqualTo(2);
  }

  @Test
  void laterIdsAreGreaterEvenWhenTheClockGoesBack() {
    AtomicLong millis = new AtomicLong(1_000_000);
    CallIdGenerator ids = new CallIdGenerator(() -> Instant.ofEpochMilli(millis.getAndAdd(-1)));

    assertThat(Stream.generate(ids::next).limit(10_000).map(UUID::toString)).isSorted();
  }
}
