package gatebook.command.call;

import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Generates the ids of calls: UUIDs of version 7, each greater than all that this process generated
 * before, so that an index over them grows at its end. They are not secret.
 */
public final class CallIdGenerator {

  private static final int COUNTER_BITS = 12;
  private static final long COUNTER_MASK = (1L << COUNTER_BITS) - 1;
  private static final long VERSION = 0x7000L;
  private static final long VARIANT = 0x8000_0000_0000_0000L;
  private static final long RANDOM_MASK = 0x3FFF_FFFF_FFFF_FFFFL;

  private final InstantSource clock;
  private final AtomicLong last = new AtomicLong();

  public CallIdGenerator(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * When a millisecond has more ids than the counter holds, the next ones use the following
   * millisecond.
   */
  public UUID next() {
    long now = clock.millis() << COUNTER_BITS;
    long tick = last.updateAndGet(before -> Math.max(before + 1, now));
    long random = ThreadLocalRandom.current().nextLong() & RANDOM_MASK;
    return new UUID(
        (tick >>> COUNTER_BITS) << 16 | VERSION | (tick & COUNTER_MASK), VARIANT | random);
  }
}
