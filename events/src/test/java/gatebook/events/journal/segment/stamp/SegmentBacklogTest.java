package gatebook.events.journal.segment.stamp;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.journal.segment.stamp.BackgroundPace.PaceClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;

/** How much time stamping and compressing take beside callers, and how many segments wait. */
final class SegmentBacklogTest {
  private static final long PART = Duration.ofMillis(1).toNanos();

  /** Moves on while work is done and while a rest waits; callers append all the time, or never. */
  private final class FakeClock implements PaceClock {
    private long now = Long.MAX_VALUE - Duration.ofMinutes(1).toNanos(); // it may overflow

    @Override
    public long nanoTime() {
      return now;
    }

    @Override
    public void await(Object held, long nanos) {
      rests++;
      rested += nanos;
      pass(nanos);
      onRest.run();
    }
  }

  private final FakeClock clock = new FakeClock();
  private long head;
  private boolean hasCallers = true;
  private Runnable onRest = () -> {};
  private long rests;
  private long rested;
  private long worked;
  private long sealEvery = Long.MAX_VALUE;
  private long untilSealed = Long.MAX_VALUE;
  private long sealed;
  private int waitingMax;
  private long waitedMax;
  private final Deque<Long> sealedAt = new ArrayDeque<>();
  private final SegmentBacklog backlog = new SegmentBacklog(() -> head, clock::nanoTime);
  private final BackgroundPace pace = new BackgroundPace(clock);

  private void pass(long nanos) {
    clock.now += nanos;
    head += hasCallers ? 1 : 0;
    untilSealed -= nanos;
    if (untilSealed <= 0) {
      untilSealed += sealEvery;
      backlog.add(++sealed);
      sealedAt.add(clock.now);
    }
    if (!sealedAt.isEmpty()) {
      waitingMax = Math.max(waitingMax, sealedAt.size());
      waitedMax = Math.max(waitedMax, clock.now - sealedAt.getFirst());
    }
  }

  private void work(Duration time) {
    for (long left = time.toNanos(); left > 0; left -= PART) {
      worked += PART;
      pass(PART);
      pace.restWhenDue();
    }
  }

  /** Works on what is sealed, one segment after the other, for a day. */
  private void workForADay(Duration sealedEvery, Duration workOfOne) {
    sealEvery = sealedEvery.toNanos();
    untilSealed = sealEvery;
    long end = clock.now + Duration.ofDays(1).toNanos();
    for (long done = 0; end - clock.now > 0; ) {
      if (sealedAt.isEmpty()) {
        pass(PART);
      } else {
        pace.begin(backlog::restFactor);
        work(workOfOne);
        backlog.remove(++done);
        sealedAt.remove();
      }
    }
  }

  private void workBesideCallers(Duration time) {
    head++;
    pace.begin(backlog::restFactor);
    work(time);
  }

  /** Two threads do so. */
  private double share() {
    return 2.0 * worked / (worked + rested);
  }

  @Test
  void bothThreadsTakeAtMostThreePercentBesideCallers() {
    for (long first = 1; first <= SegmentBacklog.WAITING_MAX; first++) {
      backlog.add(first);
    }
    workBesideCallers(Duration.ofSeconds(2));

    assertThat(share()).isBetween(0.029, 0.03);
  }

  @Test
  void moreThanEightSegmentsDoNotWaitForCallers() {
    for (long first = 1; first <= SegmentBacklog.WAITING_MAX + 1; first++) {
      backlog.add(first);
    }
    workBesideCallers(Duration.ofSeconds(2));
    assertThat(share()).isEqualTo(1);

    backlog.remove(4);
    assertThat(backlog.restFactor()).isEqualTo(SegmentBacklog.BESIDE_CALLERS);
  }

  @Test
  void noSegmentWaitsForCallersLongerThanTenMinutes() {
    backlog.add(1);
    pass(SegmentBacklog.WAIT_MAX.toNanos());
    assertThat(backlog.restFactor()).isEqualTo(SegmentBacklog.BESIDE_CALLERS);

    backlog.add(1);
    pass(1);
    assertThat(backlog.restFactor()).isEqualTo(SegmentBacklog.BEHIND);
  }

  @Test
  void workDoesNotRestWithoutCallers() {
    hasCallers = false;
    pace.begin(backlog::restFactor);
    work(Duration.ofSeconds(2));

    assertThat(rests).isZero();
  }

  @Test
  void callersCountForASecond() {
    hasCallers = false;
    head++;
    assertThat(backlog.restFactor()).isEqualTo(SegmentBacklog.BESIDE_CALLERS);

    pass(SegmentBacklog.BUSY.toNanos() - 1);
    assertThat(backlog.restFactor()).isEqualTo(SegmentBacklog.BESIDE_CALLERS);
    pass(1);
    assertThat(backlog.restFactor()).isZero();
  }

  @Test
  void restEndsWhenCallersAreGone() {
    head++;
    pace.begin(backlog::restFactor);
    pass(Duration.ofSeconds(10).toNanos());
    hasCallers = false;
    pace.rest();

    assertThat(Duration.ofNanos(rested)).isBetween(Duration.ofMillis(900), Duration.ofMillis(1100));
  }

  @Test
  void closingEndsTheRest() {
    onRest = pace::close;
    workBesideCallers(Duration.ofSeconds(2));

    assertThat(rests).isEqualTo(1);
    assertThat(pace.isClosed()).isTrue();
  }

  @Test
  void atMostNineSegmentsWaitUnderConstantLoad() {
    workForADay(Duration.ofSeconds(13), Duration.ofMillis(1_200));

    assertThat(sealed).isEqualTo(Duration.ofDays(1).dividedBy(Duration.ofSeconds(13)));
    assertThat(waitingMax).isEqualTo(SegmentBacklog.WAITING_MAX + 1);
  }

  @Test
  void slowSegmentsAreDoneSoonAfterTenMinutes() {
    workForADay(Duration.ofMinutes(5), Duration.ofSeconds(20));

    assertThat(Duration.ofNanos(waitedMax))
        .isBetween(SegmentBacklog.WAIT_MAX, SegmentBacklog.WAIT_MAX.plusSeconds(40));
  }
}
