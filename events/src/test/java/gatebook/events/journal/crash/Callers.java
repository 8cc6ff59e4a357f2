package gatebook.events.journal.crash;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

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
 * Concurrent callers without threads of their own, each of which appends again as soon as it was
 * answered, and reports every answer after it has it.
 *
 * <p>Half of the appends stand only if nobody else wrote under the caller's tag, which nobody does;
 * some stand only if the caller itself never wrote, which it did.
 */
final class Callers implements AutoCloseable {
  static final int COUNT = 64;
  private static final int ONE_STALE_IN = 40;
  private static final long PAUSE_AFTER_REFUSAL_MILLIS = 5;
  private static final long UNKNOWN = -1;

  private final Journal journal;
  private final Consumer<Told> listener;
  private final ScheduledExecutorService turns = Executors.newSingleThreadScheduledExecutor();
  private final CountDownLatch quiet = new CountDownLatch(COUNT);
  private final AtomicLong slowestNanos = new AtomicLong();
  private final String run = UUID.randomUUID().toString();
  private volatile boolean stopping;

  private Callers(Journal journal, Consumer<Told> listener) {
    this.journal = journal;
    this.listener = listener;
  }

  static Callers start(Journal journal, long seed, Consumer<Told> listener) {
    Callers callers = new Callers(journal, listener);
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < COUNT; i++) {
      callers.turns.execute(callers.new Caller(i, random.split())::append);
    }
    return callers;
  }

  /** Returns when every caller got its last answer. */
  void stop() {
    stopping = true;
    try {
      if (!quiet.await(120, TimeUnit.SECONDS)) {
        throw new AssertionError(quiet.getCount() + " callers were never answered");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The longest that any caller waited for an answer. */
  long slowestMillis() {
    return NANOSECONDS.toMillis(slowestNanos.get());
  }

  @Override
  public void close() {
    stopping = true;
    turns.close();
  }

  private enum Demand {
    NOTHING,
    NOBODY_ELSE,
    NEVER_ANYTHING
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
        quiet.countDown();
        return;
      }
      Work work = Work.random(random, tag);
      Demand demand = demand();
      long asked = System.nanoTime();
      var _ =
          journal
              .append(condition(demand), work.drafts())
              .whenComplete((answer, thrown) -> {
                slowestNanos.accumulateAndGet(System.nanoTime() - asked, Math::max);
                answered(work, demand, answer, thrown);
              });
    }

    private Demand demand() {
      if (own == UNKNOWN) {
        return Demand.NOTHING;
      }
      if (own > 0 && random.nextInt(ONE_STALE_IN) == 0) {
        return Demand.NEVER_ANYTHING;
      }
      return random.nextBoolean() ? Demand.NOBODY_ELSE : Demand.NOTHING;
    }

    private ConflictCondition condition(Demand demand) {
      return switch (demand) {
        case NOTHING -> ConflictCondition.none();
        case NOBODY_ELSE -> ConflictCondition.nothingAfter(own, EventCriteria.havingTags(tag));
        case NEVER_ANYTHING -> ConflictCondition.nothingAfter(0, EventCriteria.havingTags(tag));
      };
    }

    private void answered(
        Work work, Demand demand, @Nullable Append answer, @Nullable Throwable thrown) {
      if (answer == null) {
        listener.accept(new Told.Wrong(work.append(), "the exception " + thrown));
      } else {
        listener.accept(told(work, demand, answer));
      }
      again(answer);
    }

    private void again(@Nullable Append answer) {
      boolean refused = answer instanceof Append.Refused;
      var _ = turns.schedule(this::append, refused ? PAUSE_AFTER_REFUSAL_MILLIS : 0, MILLISECONDS);
    }

    private Told told(Work work, Demand demand, Append answer) {
      return switch (answer) {
        case Append.Stored stored -> stored(work, demand, stored);
        case Append.Conflict _ when demand != Demand.NEVER_ANYTHING ->
            new Told.Wrong(work.append(), "of a conflict that does not exist");
        case Append.InDoubt _ -> {
          own = UNKNOWN;
          yield new Told.Unknown(work.append());
        }
        case Append.Conflict _,
            Append.Overloaded _,
            Append.Unavailable _,
            Append.Unstorable _,
            Append.Distrusted _,
            Append.Closed _ ->
            new Told.Absent(work.append(), answer.toString());
      };
    }

    private Told stored(Work work, Demand demand, Append.Stored stored) {
      if (demand == Demand.NEVER_ANYTHING) {
        return new Told.Wrong(work.append(), "of success in spite of a conflict");
      }
      if (stored.last() - stored.first() + 1 != work.drafts().size()) {
        return new Told.Wrong(work.append(), stored + " for another number of events");
      }
      own = stored.last();
      return new Told.Stored(work.append(), stored.first(), work.digests());
    }
  }
}
