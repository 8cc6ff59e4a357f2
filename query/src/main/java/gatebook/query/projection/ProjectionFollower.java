package gatebook.query.projection;

import gatebook.events.journal.Journal;
import gatebook.events.journal.axon.JournalPageSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.axonframework.messaging.core.unitofwork.SimpleUnitOfWorkFactory;
import org.axonframework.messaging.eventhandling.processing.errorhandling.PropagatingErrorHandler;
import org.axonframework.messaging.eventhandling.processing.streaming.pooled.PooledStreamingEventProcessor;
import org.axonframework.messaging.eventhandling.processing.streaming.pooled.PooledStreamingEventProcessorConfiguration;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one making of a view up with the journal: every event exactly once, in order, from where
 * the view was left.
 *
 * <p>A batch that fails is tried again, and the view stays where it was.
 */
final class ProjectionFollower implements AutoCloseable {
  /**
   * New events are left to gather for so long, so that a busy journal makes few transactions;
   * unless somebody waits for them.
   */
  private static final long PATIENCE_MILLIS = 20;

  /** How long after a failure the view is tried again. */
  private static final long CLAIM_MILLIS = 500;

  private static final long STOP_SECONDS_MAX = 10;

  private final Journal journal;
  private final ViewFile views;
  private final Projection projection;
  private final String schema;
  private final EventParking eventParking;
  private final PageTransaction pageTransaction;
  private final ScheduledExecutorService threads;
  private final JournalPageSource pages;
  private final PooledStreamingEventProcessor processor;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition moved = lock.newCondition();
  private volatile @Nullable Throwable failure;

  private ProjectionFollower(ViewFile views, Journal journal, Projection projection, String schema)
      throws SQLException {
    this.views = views;
    this.journal = journal;
    this.projection = projection;
    this.schema = schema;
    this.eventParking = new EventParking(projection, journal, InstantSource.system());
    this.pageTransaction =
        new PageTransaction(this::open, eventParking, error -> failure = error, this::committed);
    this.threads =
        Executors.newScheduledThreadPool(
            2, Thread.ofPlatform().daemon().name("view-" + projection.name() + "-", 0).factory());
    this.pages =
        new JournalPageSource(
            journal,
            CompletableFuture.delayedExecutor(PATIENCE_MILLIS, TimeUnit.MILLISECONDS, threads));
    this.processor = processor();
  }

  /** Starts following, with a view that is made anew when there is none that can go on. */
  static ProjectionFollower start(
      ViewFile views, Journal journal, Projection projection, String schema) throws SQLException {
    ProjectionFollower projectionFollower =
        new ProjectionFollower(views, journal, projection, schema);
    projectionFollower.processor.start().join(); // it only schedules, and is done at once
    return projectionFollower;
  }

  private PageTransaction.Opened open() throws SQLException {
    Connection view = views.connect();
    try {
      return new PageTransaction.Opened(
          view, ViewProgress.of(views, view, journal, projection, schema));
    } catch (SQLException | RuntimeException e) {
      view.close();
      throw e;
    }
  }

  private PooledStreamingEventProcessor processor() {
    return new PooledStreamingEventProcessor(
        projection.name(),
        List.of(new PageHandler(pageTransaction)),
        new PooledStreamingEventProcessorConfiguration()
            .errorHandler(PropagatingErrorHandler.instance())
            .unitOfWorkFactory(new SimpleUnitOfWorkFactory(new EmptyConfiguration()))
            .eventSource(pages)
            .eventCriteria(_ -> EventCriteria.havingAnyTag())
            .tokenStore(new ViewTokenStore(pageTransaction))
            .coordinatorExecutor(threads)
            .workerExecutor(threads)
            .initialSegmentCount(1)
            .tokenClaimInterval(CLAIM_MILLIS)
            .batchSize(1));
  }

  private void committed() {
    failure = null;
    pages.handled(pageTransaction.position());
    lock.lock();
    try {
      moved.signalAll();
    } finally {
      lock.unlock();
    }
  }

  String schema() {
    return schema;
  }

  /** Everything up to here is in the view. */
  long position() {
    return pageTransaction.position();
  }

  /** Whether the view holds all that it is asked for, or is still being made. */
  boolean isWhole() {
    return position() >= wholeFrom();
  }

  long wholeFrom() {
    return pageTransaction.wholeFrom();
  }

  long parked() {
    return eventParking.count();
  }

  /** Why the newest batch failed; absent when it did not. */
  @Nullable String failure() {
    Throwable why = failure;
    return why == null ? null : Objects.toString(why.getMessage(), why.toString());
  }

  /** Waits until the view has come so far; false when it has not in this time. */
  boolean await(long position, long timeoutMillis) throws InterruptedException {
    if (position() < position) {
      pages.hurry();
    }
    long nanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    lock.lock();
    try {
      while (position() < position && nanos > 0) {
        nanos = moved.awaitNanos(nanos);
      }
      return position() >= position;
    } finally {
      lock.unlock();
    }
  }

  /** Tries a parked event again. */
  ParkedEvent.Attempt retry(long position) throws SQLException {
    return pageTransaction.correct(view -> eventParking.retry(view, position));
  }

  /** Leaves a parked event out of the view; false when there is none. */
  boolean discard(long position) throws SQLException {
    return pageTransaction.correct(view -> eventParking.discard(view, position));
  }

  @Override
  public void close() {
    processor
        .shutdown()
        .orTimeout(STOP_SECONDS_MAX, TimeUnit.SECONDS)
        .exceptionally(_ -> null)
        .join();
    threads.shutdown(); // not now: an interrupt in the middle of reading a file closes the file
    pageTransaction.close();
  }
}
