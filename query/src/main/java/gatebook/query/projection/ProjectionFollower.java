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
import java.util.concurrent.RejectedExecutionException;
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
 * Follows the journal with one projection: projects every event exactly once and in order, starting
 * at the view's stored position.
 *
 * <p>A batch that fails is retried, and the view keeps its position.
 */
final class ProjectionFollower implements AutoCloseable {
  /**
   * How long new events are gathered, so that a busy journal causes few transactions. A waiting
   * reader ends it early.
   */
  private static final long GATHER_MILLIS = 20;

  /** The delay before a failed batch is retried. */
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
  private final Condition advanced = lock.newCondition();
  private volatile @Nullable Throwable failure;

  private ProjectionFollower(
      ViewFile views, Journal journal, Projection projection, EventReader events, String schema)
      throws SQLException {
    this.views = views;
    this.journal = journal;
    this.projection = projection;
    this.schema = schema;
    this.eventParking =
        new EventParking(
            new AnnotatedProjection(projection, events), journal, InstantSource.system());
    this.pageTransaction =
        new PageTransaction(
            views.writing(), this::open, eventParking, error -> failure = error, this::onCommit);
    this.threads =
        Executors.newScheduledThreadPool(
            2, Thread.ofPlatform().daemon().name("view-" + projection.name() + "-", 0).factory());
    this.pages =
        new JournalPageSource(
            journal,
            CompletableFuture.delayedExecutor(GATHER_MILLIS, TimeUnit.MILLISECONDS, threads));
    this.processor = processor();
  }

  /**
   * Starts following the journal. Creates the view when there is none or the stored one cannot be
   * continued.
   */
  static ProjectionFollower start(
      ViewFile views, Journal journal, Projection projection, EventReader events, String schema)
      throws SQLException {
    ProjectionFollower projectionFollower =
        new ProjectionFollower(views, journal, projection, events, schema);
    projectionFollower.processor.start().join(); // only schedules work, and returns at once
    return projectionFollower;
  }

  private PageTransaction.Opened open() throws SQLException {
    Connection view = views.connect();
    try {
      return new PageTransaction.Opened(
          view, ViewProgress.open(views, view, journal, projection, schema));
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

  private void onCommit() {
    failure = null;
    pages.acknowledge(pageTransaction.position());
    lock.lock();
    try {
      advanced.signalAll();
    } finally {
      lock.unlock();
    }
  }

  String schema() {
    return schema;
  }

  /** Everything up to this position is in the view. */
  long position() {
    return pageTransaction.position();
  }

  /** Whether the view is complete; false while it is being built. */
  boolean isComplete() {
    return position() >= completeFrom();
  }

  long completeFrom() {
    return pageTransaction.completeFrom();
  }

  long parked() {
    return eventParking.count();
  }

  /** The error of the newest batch; absent when that batch succeeded. */
  @Nullable String failure() {
    Throwable error = failure;
    return error == null ? null : Objects.toString(error.getMessage(), error.toString());
  }

  /** Waits until the view has reached a position. Returns false on timeout. */
  boolean await(long position, long timeoutMillis) throws InterruptedException {
    if (position() < position) {
      readNow();
    }
    long nanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    lock.lock();
    try {
      while (position() < position && nanos > 0) {
        nanos = advanced.awaitNanos(nanos);
      }
      return position() >= position;
    } finally {
      lock.unlock();
    }
  }

  /** Has the processor read now; one that was shut down never reads again. */
  private void readNow() {
    try {
      pages.notifyNow();
    } catch (RejectedExecutionException _) {
      // the processor was shut down: the wait ends at its limit
    }
  }

  /** Retries a parked event. */
  ParkedEvent.RetryResult retry(long position) throws SQLException {
    return pageTransaction.correct(view -> eventParking.retry(view, position));
  }

  /** Removes a parked event without projecting it. Returns false when no event is parked there. */
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
    threads.shutdown(); // not shutdownNow: an interrupt during a read closes the file
    pageTransaction.close();
  }
}
