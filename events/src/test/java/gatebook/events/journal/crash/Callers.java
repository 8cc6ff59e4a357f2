package gatebook.events.journal.crash;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import gatebook.events.Proof;
import gatebook.events.journal.Append;
import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.Journal;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.axonframework.messaging.eventstreaming.Tag;
import org.jspecify.annotations.Nullable;

/**
 * Concurrent callers without threads of their own, each of which reports every result after it
 * received it. All append again in the same burst; at full length, each as soon as its append has
 * completed.
 *
 * <p>Some appends have a condition that must hold: only this caller writes under its tag. Some have
 * one that must fail: the caller itself wrote before.
 */
final class Callers implements AutoCloseable {
  static final int COUNT = 64;
  private static final int ONE_STALE_IN = 40;
  private static final long BURST_MILLIS = 100;
  private static final long UNKNOWN = -1;

  private final Journal journal;
  private final Consumer<ReportedResult> listener;
  private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
  private final CountDownLatch stopped = new CountDownLatch(COUNT);
  private final AtomicLong slowestNanos = new AtomicLong();
  private final String run = UUID.randomUUID().toString();
  private volatile boolean stopping;

  private Callers(Journal journal, Consumer<ReportedResult> listener) {
    this.journal = journal;
    this.listener = listener;
  }

  static Callers start(Journal journal, long seed, Consumer<ReportedResult> listener) {
    Callers callers = new Callers(journal, listener);
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < COUNT; i++) {
      callers.scheduler.execute(callers.new Caller(i, random.split())::append);
    }
    return callers;
  }

  /** Returns when every caller has its last result. */
  void stop() {
    stopping = true;
    try {
      if (!stopped.await(120, TimeUnit.SECONDS)) {
        throw new AssertionError(stopped.getCount() + " callers never got a result");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The longest wait of a caller for a result. */
  long slowestMillis() {
    return NANOSECONDS.toMillis(slowestNanos.get());
  }

  @Override
  public void close() {
    stopping = true;
    scheduler.close();
  }

  private enum Expected {
    UNCONDITIONAL,
    NO_CONFLICT,
    CONFLICT
  }

  private final class Caller {
    private final Tag tag;
    private final RandomGenerator random;
    private long own;

    Caller(int number, RandomGenerator random) {
      this.tag = new Tag("caller", run + "-" + number);
      this.random = random;
    }

    void append() {
      if (stopping) {
        stopped.countDown();
        return;
      }
      Work work = Work.random(random, tag);
      Expected expected = expected();
      long start = System.nanoTime();
      var _ =
          journal
              .append(condition(expected), work.drafts())
              .whenComplete((result, thrown) -> {
                slowestNanos.accumulateAndGet(System.nanoTime() - start, Math::max);
                completed(work, expected, result, thrown);
              });
    }

    private Expected expected() {
      if (own == UNKNOWN) {
        return Expected.UNCONDITIONAL;
      }
      if (own > 0 && random.nextInt(ONE_STALE_IN) == 0) {
        return Expected.CONFLICT;
      }
      return random.nextBoolean() ? Expected.NO_CONFLICT : Expected.UNCONDITIONAL;
    }

    private ConflictCondition condition(Expected expected) {
      return switch (expected) {
        case UNCONDITIONAL -> ConflictCondition.none();
        case NO_CONFLICT -> ConflictCondition.nothingAfter(own, EventCriteria.havingTags(tag));
        case CONFLICT -> ConflictCondition.nothingAfter(0, EventCriteria.havingTags(tag));
      };
    }

    private void completed(
        Work work, Expected expected, @Nullable Append result, @Nullable Throwable thrown) {
      if (result == null) {
        listener.accept(new ReportedResult.Wrong(work.append(), "the exception " + thrown));
      } else {
        listener.accept(report(work, expected, result));
      }
      appendAgain(result);
    }

    private void appendAgain(@Nullable Append result) {
      boolean refused = result instanceof Append.Refused;
      long rest = Proof.LONG && !refused ? 0 : BURST_MILLIS - nowMillis() % BURST_MILLIS;
      var _ = scheduler.schedule(this::append, rest, MILLISECONDS);
    }

    private static long nowMillis() {
      return NANOSECONDS.toMillis(System.nanoTime());
    }

    private ReportedResult report(Work work, Expected expected, Append result) {
      return switch (result) {
        case Append.Stored stored -> stored(work, expected, stored);
        case Append.Conflict _ when expected != Expected.CONFLICT ->
            new ReportedResult.Wrong(work.append(), "a conflict that does not exist");
        case Append.InDoubt _ -> {
          own = UNKNOWN;
          yield new ReportedResult.Unknown(work.append());
        }
        case Append.Conflict _,
            Append.Overloaded _,
            Append.Unavailable _,
            Append.ReadOnly _,
            Append.Unstorable _,
            Append.Distrusted _,
            Append.Closed _ ->
            new ReportedResult.Absent(work.append(), result.toString());
      };
    }

    private ReportedResult stored(Work work, Expected expected, Append.Stored stored) {
      if (expected == Expected.CONFLICT) {
        return new ReportedResult.Wrong(work.append(), "success in spite of a conflict");
      }
      if (stored.last() - stored.first() + 1 != work.drafts().size()) {
        return new ReportedResult.Wrong(work.append(), stored + " for another number of events");
      }
      own = stored.last();
      return new ReportedResult.Stored(work.append(), stored.first(), work.digests());
    }
  }
}
