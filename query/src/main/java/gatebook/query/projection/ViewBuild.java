package gatebook.query.projection;

import gatebook.events.journal.Journal;
import gatebook.events.journal.storage.Entry;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A build of a view: a schema with the tables of one projection, and the position that they have
 * reached. It projects every event exactly once and in order, even when followers change: rows and
 * position are one transaction of its own connection.
 */
final class ViewBuild implements AutoCloseable {
  private final ViewFile views;
  private final Journal journal;
  private final Projection projection;
  private final String schema;
  private final Set<String> readNames;
  private final EventParking eventParking;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition advanced = lock.newCondition();

  private volatile Opened opened;
  private volatile boolean broken;
  private volatile long position;
  private volatile @Nullable Throwable failure;
  private volatile @Nullable JournalFollower follower;

  /** The connection of the build and its stored progress. */
  private record Opened(Connection view, ViewProgress progress) {}

  /** A change of the tables other than projecting a page. */
  @FunctionalInterface
  private interface Correction<T> {
    T apply(Connection view) throws SQLException;
  }

  private ViewBuild(
      ViewFile views, Journal journal, Projection projection, EventReader events, String schema)
      throws SQLException {
    this.views = views;
    this.journal = journal;
    this.projection = projection;
    this.schema = schema;
    AnnotatedProjection annotatedProjection = new AnnotatedProjection(projection, events);
    this.readNames = annotatedProjection.readNames();
    this.eventParking = new EventParking(annotatedProjection, journal, InstantSource.system());
    this.opened = connect();
    this.position = opened.progress.position();
    readParked();
  }

  /**
   * Opens the build and has it follow the journal from its position on. Creates it when there is
   * none or the stored one cannot be continued.
   */
  static ViewBuild follow(
      ViewFile views, Journal journal, Projection projection, EventReader events, String schema)
      throws SQLException {
    ViewBuild build = new ViewBuild(views, journal, projection, events, schema);
    views.followers().follow(journal, events, build);
    return build;
  }

  private Opened connect() throws SQLException {
    Connection view = views.connect();
    try {
      ViewProgress progress = ViewProgress.open(views, view, journal, projection, schema);
      // else the engine looks up the tables of each row anew; nobody else changes the schema
      view.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      return new Opened(view, progress);
    } catch (SQLException | RuntimeException e) {
      view.close();
      throw e;
    }
  }

  /**
   * Reopens the build when the engine has closed the file, which happens when a disk is full; the
   * position is then the one that the file still holds.
   */
  void reopenIfBroken() throws SQLException {
    if (broken) {
      views.writing().close(opened.view);
      opened = connect();
      position = opened.progress.position();
      readParked();
      broken = false;
    }
  }

  /**
   * Projects the events of a page that are beyond the position, in a turn of writing. Returns the
   * error when that failed; nothing has changed then.
   */
  Optional<Throwable> project(List<Entry> page) {
    List<Entry> next = beyond(position, page);
    if (next.isEmpty()) {
      return Optional.empty();
    }
    try {
      eventParking.project(opened.view, next);
      opened.progress.moveTo(next.getLast());
      opened.view.commit();
    } catch (SQLException | RuntimeException | Error e) {
      rollback(e);
      Throwable error = e instanceof SQLException sql ? new ViewFailed(sql) : e;
      failure = error;
      return Optional.of(error);
    }
    reach(next.getLast().position());
    return Optional.empty();
  }

  private static List<Entry> beyond(long position, List<Entry> page) {
    return page.getFirst().position() > position
        ? page
        : page.stream().filter(event -> event.position() > position).toList();
  }

  private void reach(long newPosition) {
    position = newPosition;
    failure = null;
    lock.lock();
    try {
      advanced.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void rollback(Throwable error) {
    try {
      opened.view.rollback();
      readParked();
    } catch (SQLException e) {
      broken = true;
      error.addSuppressed(e);
    }
  }

  /** Ends the transaction, which would keep old pages of the file until the next event. */
  private void readParked() throws SQLException {
    eventParking.open(opened.view);
    opened.view.commit();
  }

  /** The names of the events whose content the projection needs. */
  Set<String> readNames() {
    return readNames;
  }

  String schema() {
    return schema;
  }

  /** Everything up to this position is committed. */
  long position() {
    return position;
  }

  /** Whether the build is complete; false while it is being filled for the first time. */
  boolean isComplete() {
    return position() >= completeFrom();
  }

  /** The position from which on the build is complete. */
  long completeFrom() {
    return opened.progress.completeFrom();
  }

  long parked() {
    return eventParking.count();
  }

  boolean isFailing() {
    return failure != null;
  }

  /** The error of the newest page; absent when that page succeeded. */
  @Nullable String failure() {
    Throwable error = failure;
    return error == null ? null : Objects.toString(error.getMessage(), error.toString());
  }

  /** The follower that passes pages from now on. */
  void setFollower(JournalFollower newFollower) {
    follower = newFollower;
  }

  /** Waits until the build has reached a position. Returns false on timeout. */
  boolean await(long awaited, long timeoutMillis) throws InterruptedException {
    if (position < awaited) {
      readNow();
    }
    long nanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    lock.lock();
    try {
      while (position < awaited && nanos > 0) {
        nanos = advanced.awaitNanos(nanos);
      }
      return position >= awaited;
    } finally {
      lock.unlock();
    }
  }

  /** Has the follower read now; one that was stopped never reads again. */
  private void readNow() {
    JournalFollower reading = follower;
    if (reading != null) {
      reading.readNow();
    }
  }

  /** Retries a parked event. */
  ParkedEvent.RetryResult retry(long parkedPosition) throws SQLException {
    return correct(view -> eventParking.retry(view, parkedPosition));
  }

  /** Removes a parked event without projecting it. Returns false when no event is parked there. */
  boolean discard(long parkedPosition) throws SQLException {
    return correct(view -> eventParking.discard(view, parkedPosition));
  }

  /** Applies a correction between two pages and commits it. */
  private <T> T correct(Correction<T> correction) throws SQLException {
    return views
        .writing()
        .change(() -> {
          try {
            T result = correction.apply(opened.view);
            opened.view.commit();
            readParked();
            return result;
          } catch (SQLException | RuntimeException e) {
            rollback(e);
            throw e;
          }
        });
  }

  /** Ends following the journal. */
  @Override
  public void close() {
    views.followers().leave(this);
    views.writing().close(opened.view);
  }
}
