package gatebook.query.projection;

import gatebook.events.journal.Journal;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BooleanSupplier;
import org.h2.engine.Constants;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A view: the tables of one projection, kept up with the journal, and rebuilt in the background
 * when an operator requests it.
 */
public final class View implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(View.class);

  /** How long a query waits for the view to reach the head of the journal. */
  private static final long WAIT_MILLIS_MAX = 2_000;

  /** A waiting reader checks in this interval whether the view was replaced or closed. */
  private static final long SLICE_MILLIS = 100;

  private final ViewFile views;
  private final Journal journal;
  private final Projection projection;
  private final EventReader events;

  /** Prevents a schema from being dropped while it is read. */
  private final ReadWriteLock lock = new ReentrantReadWriteLock();

  private volatile ViewBuild active;
  private volatile @Nullable ViewRebuild viewRebuild;
  private volatile @Nullable RebuildResult lastRebuild;
  private volatile boolean closed;

  /** A query over the view's tables. */
  @FunctionalInterface
  public interface TableReader<T> {
    T read(Connection view) throws SQLException;
  }

  /**
   * The position of the view when a query read it.
   *
   * @param awaited the position that the query waited for
   */
  public record Reached(long position, long awaited) {
    public boolean upToDate() {
      return position >= awaited;
    }
  }

  /** The result of requesting a rebuild. */
  public sealed interface RebuildStart {
    record Started(RebuildProgress progress) implements RebuildStart {}

    /** A rebuild is running already. */
    record Running(RebuildProgress progress) implements RebuildStart {}

    /**
     * The requested position is beyond the view's own: only content that the view has can be
     * copied.
     */
    record Beyond(long position) implements RebuildStart {}

    record Closed() implements RebuildStart {}
  }

  private View(ViewFile views, Journal journal, Projection projection, EventReader events)
      throws SQLException {
    this.views = views;
    this.journal = journal;
    this.projection = projection;
    this.events = events;
    this.active = ViewBuild.follow(views, journal, projection, events, schemaInUse());
  }

  /**
   * Starts following the journal. Creates the view when there is none or the stored one cannot be
   * continued.
   */
  public static View follow(
      ViewFile views, Journal journal, Projection projection, EventReader events) {
    try {
      return new View(views, journal, projection, events);
    } catch (SQLException e) {
      throw new ViewFailed(e);
    }
  }

  private String schemaInUse() throws SQLException {
    try (Connection connection = views.connect()) {
      return views.writing().change(() -> ViewSchemas.inUse(connection, projection.name()));
    }
  }

  public String name() {
    return projection.name();
  }

  /** Everything up to this position is in the view. */
  public long position() {
    return active.position();
  }

  /**
   * Whether the view is complete. A view that is being built for the first time has only a part of
   * its content and cannot be queried.
   */
  public boolean isComplete() {
    return active.isComplete();
  }

  /**
   * Waits, for a limited time, until the view has reached the head of the journal as it was at the
   * call, or {@code atLeast} if that is more.
   */
  public Reached awaitHead(long atLeast) throws InterruptedException {
    long awaited = Math.max(atLeast, journal.head());
    await(awaited, WAIT_MILLIS_MAX);
    return new Reached(position(), awaited);
  }

  /** Waits until the view has reached a position. Returns false on timeout. */
  public boolean await(long position, long timeoutMillis) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    long left = timeoutMillis;
    while (left > 0 && !active.await(position, Math.min(left, SLICE_MILLIS))) {
      left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
    }
    return position() >= position;
  }

  /**
   * Waits, without a limit, until the view has reached a position. Returns false when the view is
   * closed before that.
   */
  public boolean awaitWithoutLimit(long position) throws InterruptedException {
    while (!await(position, SLICE_MILLIS)) {
      if (closed) {
        return false;
      }
    }
    return true;
  }

  /** Queries the view's tables, each statement as of the moment at which it begins. */
  public <T> T read(TableReader<T> tableReader) {
    return read(tableReader, Connection.TRANSACTION_READ_COMMITTED);
  }

  /** Queries the view's tables, all statements as of one moment. */
  public <T> T readSnapshot(TableReader<T> tableReader) {
    return read(tableReader, Constants.TRANSACTION_SNAPSHOT);
  }

  private <T> T read(TableReader<T> tableReader, int isolation) {
    try {
      return views.threads().run(() -> readActive(tableReader, isolation));
    } catch (SQLException e) {
      throw new ViewFailed(e);
    }
  }

  private <T> T readActive(TableReader<T> tableReader, int isolation) throws SQLException {
    lock.readLock().lock();
    try (Connection connection = views.connect()) {
      if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
        connection.setTransactionIsolation(isolation);
      }
      connection.setSchema(active.schema());
      return tableReader.read(connection);
    } finally {
      lock.readLock().unlock();
    }
  }

  /** The status of the view. */
  public ViewStatus status() {
    ViewBuild build = active;
    ViewRebuild running = viewRebuild;
    long position = build.position();
    return new ViewStatus(
        projection.name(),
        position,
        Math.max(0, journal.head() - position),
        state(build, position),
        build.parked(),
        build.failure(),
        running == null ? null : running.progress(),
        lastRebuild);
  }

  private ViewStatus.State state(ViewBuild build, long position) {
    if (closed) {
      return ViewStatus.State.STOPPED;
    }
    if (build.failure() != null) {
      return ViewStatus.State.FAILING;
    }
    if (!build.isComplete()) {
      return ViewStatus.State.MAKING;
    }
    return position < journal.head() ? ViewStatus.State.CATCHING_UP : ViewStatus.State.UP_TO_DATE;
  }

  /** Starts rebuilding the view. Its content up to {@code from} is copied. */
  public synchronized RebuildStart startRebuild(long from) {
    ViewRebuild running = viewRebuild;
    if (closed) {
      return new RebuildStart.Closed();
    }
    if (running != null) {
      return new RebuildStart.Running(running.progress());
    }
    if (from > position()) {
      return new RebuildStart.Beyond(position());
    }
    running = ViewRebuild.start(this, journal, ViewSchemas.next(active.schema()), from);
    viewRebuild = running;
    return new RebuildStart.Started(running.progress());
  }

  /** As {@link #startRebuild(long)}, copying the content up to the last event before this time. */
  public RebuildStart startRebuild(Instant from) {
    return startRebuild(journal.positionBefore(from));
  }

  /**
   * Cancels the running rebuild. Returns false when none is running or it has just replaced the
   * view.
   */
  public boolean cancelRebuild() {
    ViewRebuild running = viewRebuild;
    if (running == null) {
      return false;
    }
    running.cancel();
    return !running.ended().join();
  }

  /** The parked events, oldest first. */
  public List<ParkedEvent> parked(int limit) {
    return read(connection -> EventParking.list(connection, projection.groupTag(), journal, limit));
  }

  /** Retries a parked event. */
  public ParkedEvent.RetryResult retry(long position) {
    return correct(() -> active.retry(position));
  }

  /**
   * Removes a parked event without projecting it, until the view is rebuilt. Returns false when no
   * event is parked there.
   */
  public boolean discard(long position) {
    return correct(() -> active.discard(position));
  }

  @FunctionalInterface
  private interface ParkedChange<T> {
    T apply() throws SQLException;
  }

  private <T> T correct(ParkedChange<T> parkedChange) {
    try {
      return views.threads().run(() -> correctActive(parkedChange));
    } catch (SQLException e) {
      throw new ViewFailed(e);
    }
  }

  private <T> T correctActive(ParkedChange<T> parkedChange) throws SQLException {
    lock.readLock().lock();
    try {
      return parkedChange.apply();
    } finally {
      lock.readLock().unlock();
    }
  }

  ViewBuild startFresh(String schema, long from) throws SQLException {
    RebuildSeed.create(views, journal, projection, events, active.schema(), schema, from);
    return ViewBuild.follow(views, journal, projection, events, schema);
  }

  /**
   * Replaces the follower in use with a rebuilt one, as soon as that has the same position or a
   * later one.
   */
  boolean replaceBy(ViewBuild fresh, BooleanSupplier stillWanted)
      throws SQLException, InterruptedException {
    while (stillWanted.getAsBoolean()) {
      ViewBuild old = active;
      if (tryReplace(old, fresh)) {
        old.close();
        drop(old.schema());
        return true;
      }
      fresh.await(Math.max(old.position(), fresh.completeFrom()), SLICE_MILLIS);
    }
    return false;
  }

  private boolean tryReplace(ViewBuild old, ViewBuild fresh) throws SQLException {
    lock.writeLock().lock();
    try (Connection connection = views.connect()) {
      if (closed || !fresh.isComplete() || fresh.position() < old.position()) {
        return false;
      }
      views.writing().change(() -> ViewSchemas.use(connection, name(), fresh.schema()));
      active = fresh;
      return true;
    } finally {
      lock.writeLock().unlock();
    }
  }

  void drop(String schema) {
    try (Connection connection = views.connect()) {
      views.writing().change(() -> ViewSchemas.drop(connection, schema));
    } catch (SQLException e) {
      LOG.atWarn()
          .addKeyValue("view", name())
          .setCause(e)
          .log("an unused schema was not dropped; the next start drops it");
    }
  }

  synchronized void rebuildEnded(RebuildResult ended) {
    lastRebuild = ended;
    viewRebuild = null;
  }

  @Override
  public void close() {
    closed = true;
    cancelRebuild();
    active.close();
  }
}
