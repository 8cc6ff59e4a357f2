package gatebook.query.projection;

import gatebook.events.journal.Journal;
import gatebook.events.journal.axon.JournalPageSource;
import gatebook.events.journal.storage.Entry;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.axonframework.messaging.core.unitofwork.SimpleUnitOfWorkFactory;
import org.axonframework.messaging.eventhandling.processing.errorhandling.PropagatingErrorHandler;
import org.axonframework.messaging.eventhandling.processing.streaming.pooled.PooledStreamingEventProcessor;
import org.axonframework.messaging.eventhandling.processing.streaming.pooled.PooledStreamingEventProcessorConfiguration;
import org.axonframework.messaging.eventstreaming.EventCriteria;

/**
 * A follower of the journal that feeds several builds of views: it reads each page once and passes
 * it to all of them in one turn of writing. One thread reads the next pages, and the events that a
 * build needs, while another writes.
 *
 * <p>A page that fails for all builds is retried, and they keep their positions.
 */
final class JournalFollower {
  /**
   * How long new events are gathered, so that a busy journal causes few transactions. A waiting
   * reader ends it early.
   */
  private static final long GATHER_MILLIS = 20;

  /** The delay before a failed page is retried. */
  private static final long CLAIM_MILLIS = 500;

  private final ViewFollowers followers;
  private final ViewWriting writing;
  private final Journal journal;
  private final EventReader events;
  private final ScheduledExecutorService threads =
      Executors.newScheduledThreadPool(
          2, Thread.ofPlatform().daemon().name("view-follower-", 0).factory());
  private final JournalPageSource pages;
  private final PooledStreamingEventProcessor processor;

  /** Changed in turns of writing only. */
  private final List<ViewBuild> builds = new CopyOnWriteArrayList<>();

  private volatile Set<String> readNames = Set.of();
  private volatile long position;

  JournalFollower(
      ViewFollowers followers,
      ViewWriting writing,
      Journal journal,
      EventReader events,
      Collection<ViewBuild> builds) {
    this.followers = followers;
    this.writing = writing;
    this.journal = journal;
    this.events = events;
    this.pages =
        new JournalPageSource(
            journal,
            CompletableFuture.delayedExecutor(GATHER_MILLIS, TimeUnit.MILLISECONDS, threads),
            this::readAhead);
    this.processor = processor();
    add(builds);
    this.position = lowestPosition();
  }

  /** A follower of the same journal for other builds. */
  JournalFollower another(Collection<ViewBuild> others) {
    return new JournalFollower(followers, writing, journal, events, others);
  }

  private PooledStreamingEventProcessor processor() {
    return new PooledStreamingEventProcessor(
        "views",
        List.of(new PageHandler(this)),
        new PooledStreamingEventProcessorConfiguration()
            .errorHandler(PropagatingErrorHandler.instance())
            .unitOfWorkFactory(new SimpleUnitOfWorkFactory(new EmptyConfiguration()))
            .eventSource(pages)
            .eventCriteria(_ -> EventCriteria.havingAnyTag())
            .tokenStore(new ViewTokenStore(this))
            .coordinatorExecutor(threads)
            .workerExecutor(threads)
            .initialSegmentCount(1)
            .tokenClaimInterval(CLAIM_MILLIS)
            .batchSize(1));
  }

  /** Begins to read. Only schedules work, and returns at once. */
  void start() {
    CompletableFuture<Void> _ = processor.start();
  }

  /** Ends reading. Completed when nothing is read or written any more. */
  CompletableFuture<Void> stop() {
    builds.clear();
    return processor
        .shutdown()
        .whenComplete((_, _) -> threads.shutdown()); // an interrupt during a read closes the file
  }

  void readNow() {
    pages.notifyNow();
  }

  /** Reads an event here, on the thread that reads the page, when a build needs its content. */
  private Entry readAhead(Entry entry) {
    return readNames.contains(entry.name()) ? events.readAhead(entry) : entry;
  }

  /** Adds builds, none of which is behind this follower. In a turn of writing. */
  void add(Collection<ViewBuild> added) {
    added.forEach(build -> build.setFollower(this));
    builds.addAll(added);
    readNames =
        builds.stream()
            .flatMap(build -> build.readNames().stream())
            .collect(Collectors.toUnmodifiableSet());
  }

  /** In a turn of writing. */
  void remove(Collection<ViewBuild> removed) {
    builds.removeAll(removed);
  }

  List<ViewBuild> builds() {
    return List.copyOf(builds);
  }

  boolean isFailing() {
    return builds.stream().anyMatch(ViewBuild::isFailing);
  }

  /** The pages up to this position have been passed to the builds. */
  long position() {
    return position;
  }

  /** The position to continue from. Builds that cannot be written any more are opened again. */
  long resume() throws SQLException {
    for (ViewBuild build : builds) {
      build.reopenIfBroken();
    }
    return writing.change(() -> position = lowestPosition());
  }

  private long lowestPosition() {
    return builds.stream().mapToLong(ViewBuild::position).min().orElse(position);
  }

  /**
   * Passes a page to the builds. When it fails for some of them, the others go on without these.
   * Returns the error when it failed for all.
   */
  Optional<Throwable> project(List<Entry> page) throws SQLException {
    Optional<Throwable> error = writing.change(() -> projectInTurn(page));
    if (error.isEmpty()) {
      pages.acknowledge(page.getLast().position());
    }
    return error;
  }

  private Optional<Throwable> projectInTurn(List<Entry> page) {
    Optional<Throwable> error = Optional.empty();
    List<ViewBuild> failed = new ArrayList<>();
    for (ViewBuild build : builds) {
      Optional<Throwable> one = build.project(page);
      if (one.isPresent()) {
        error = one;
        failed.add(build);
      }
    }
    if (error.isPresent() && failed.size() == builds.size()) {
      return error;
    }
    position = page.getLast().position();
    followers.advanced(this, failed);
    return Optional.empty();
  }
}
