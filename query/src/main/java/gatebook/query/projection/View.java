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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one question remembers, kept up with the journal, and made anew beside itself when an
 * operator wants that.
 */
public final class View implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(View.class);

  /** How long a question waits for what the journal holds. */
  private static final long WAIT_MILLIS_MAX = 2_000;

  /** Waiting looks so often whether the view was replaced. */
  private static final long SLICE_MILLIS = 100;

  private final ViewFile views;
  private final Journal journal;
  private final Projection projection;

  /** Nobody reads from a schema that is dropped. */
  private final ReadWriteLock lock = new ReentrantReadWriteLock();

  private volatile ProjectionFollower active;
  private volatile @Nullable ViewRebuild viewRebuild;
  private volatile @Nullable RebuildResult lastReplay;
  private volatile boolean closed;

  /** Something read from the view's tables. */
  @FunctionalInterface
  public interface Reading<T> {
    T of(Connection view) throws SQLException;
  }

  /**
   * How far the view had come when it was asked.
   *
   * @param awaited how far it was to come
   */
  public record Reached(long position, long awaited) {
    public boolean upToDate() {
      return position >= awaited;
    }
  }

  /** What asking for a replay ends in. */
  public sealed interface Begun {
    record Started(RebuildProgress replay) implements Begun {}

    /** One is under way already. */
    record Running(RebuildProgress replay) implements Begun {}

    /** Only what is in the view can be taken over. */
    record Beyond(long position) implements Begun {}

    record Closed() implements Begun {}
  }

  private View(ViewFile views, Journal journal, Projection projection) throws SQLException {
    this.views = views;
    this.journal = journal;
    this.projection = projection;
    this.active = ProjectionFollower.start(views, journal, projection, schemaInUse());
  }

  /** Starts following, with a view that is made anew when there is none that can go on. */
  public static View follow(ViewFile views, Journal journal, Projection projection) {
    try {
      return new View(views, journal, projection);
    } catch (SQLException e) {
      throw new ViewFailed(e);
    }
  }

  private String schemaInUse() throws SQLException {
    try (Connection connection = views.connect()) {
      return views.define(connection, it -> ViewSchemas.inUse(it, projection.name()));
    }
  }

  public String name() {
    return projection.name();
  }

  /** Everything up to here is in the view. */
  public long position() {
    return active.position();
  }

  /** Whether it can be asked: a view that is made for the first time knows a part only. */
  public boolean isWhole() {
    return active.isWhole();
  }

  /**
   * Waits, a moment at most, for the view to know all that the journal held when it was asked, or
   * all up to {@code atLeast} if that is more.
   */
  public Reached reach(long atLeast) throws InterruptedException {
    long awaited = Math.max(atLeast, journal.head());
    await(awaited, WAIT_MILLIS_MAX);
    return new Reached(position(), awaited);
  }

  /** Waits until the view has come so far; false when it has not in this time. */
  public boolean await(long position, long timeoutMillis) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    long left = timeoutMillis;
    while (left > 0 && !active.await(position, Math.min(left, SLICE_MILLIS))) {
      left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
    }
    return position() >= position;
  }

  /** Reads the view's tables as of one moment. */
  public <T> T read(Reading<T> reading) {
    lock.readLock().lock();
    try (Connection connection = views.connect()) {
      connection.setSchema(active.schema());
      return reading.of(connection);
    } catch (SQLException e) {
      throw new ViewFailed(e);
    } finally {
      lock.readLock().unlock();
    }
  }

  /** How the view is doing. */
  public ViewStatus standing() {
    ProjectionFollower projectionFollower = active;
    ViewRebuild running = viewRebuild;
    long at = projectionFollower.position();
    return new ViewStatus(
        projection.name(),
        at,
        Math.max(0, journal.head() - at),
        state(projectionFollower, at),
        projectionFollower.parked(),
        projectionFollower.failure(),
        running == null ? null : running.progress(),
        lastReplay);
  }

  private ViewStatus.State state(ProjectionFollower projectionFollower, long at) {
    if (closed) {
      return ViewStatus.State.STOPPED;
    }
    if (projectionFollower.failure() != null) {
      return ViewStatus.State.FAILING;
    }
    if (!projectionFollower.isWhole()) {
      return ViewStatus.State.MAKING;
    }
    return at < journal.head() ? ViewStatus.State.CATCHING_UP : ViewStatus.State.UP_TO_DATE;
  }

  /** Begins to make the view anew; what it held up to a position is taken over. */
  public synchronized Begun replay(long from) {
    ViewRebuild running = viewRebuild;
    if (closed) {
      return new Begun.Closed();
    }
    if (running != null) {
      return new Begun.Running(running.progress());
    }
    if (from > position()) {
      return new Begun.Beyond(position());
    }
    running = ViewRebuild.begin(this, journal, ViewSchemas.after(active.schema()), from);
    viewRebuild = running;
    return new Begun.Started(running.progress());
  }

  /** As {@link #replay(long)}, with what it held before this time. */
  public Begun replay(Instant from) {
    return replay(journal.positionBefore(from));
  }

  /** Gives up making the view anew; false when nobody is at it. */
  public boolean cancelReplay() {
    ViewRebuild running = viewRebuild;
    if (running == null) {
      return false;
    }
    running.cancel();
    return !running.ended().join();
  }

  /** The events that could not be taken in, oldest first. */
  public List<ParkedEvent> parked(int limit) {
    return read(connection -> EventParking.list(connection, journal, limit));
  }

  /** Tries a parked event again. */
  public ParkedEvent.Attempt retry(long position) {
    return corrected(() -> active.retry(position));
  }

  /** Leaves a parked event out of the view until that is made anew; false when there is none. */
  public boolean discard(long position) {
    return corrected(() -> active.discard(position));
  }

  @FunctionalInterface
  private interface Correcting<T> {
    T now() throws SQLException;
  }

  private <T> T corrected(Correcting<T> correcting) {
    lock.readLock().lock();
    try {
      return correcting.now();
    } catch (SQLException e) {
      throw new ViewFailed(e);
    } finally {
      lock.readLock().unlock();
    }
  }

  ProjectionFollower madeBeside(String schema, long from) throws SQLException {
    RebuildSeed.begin(views, journal, projection, active.schema(), schema, from);
    return ProjectionFollower.start(views, journal, projection, schema);
  }

  /** Has questions answered by another making of the view, once that is not behind this one. */
  boolean replaceBy(ProjectionFollower fresh, BooleanSupplier stillWanted)
      throws SQLException, InterruptedException {
    while (stillWanted.getAsBoolean()) {
      ProjectionFollower old = active;
      if (replaced(old, fresh)) {
        old.close();
        drop(old.schema());
        return true;
      }
      fresh.await(Math.max(old.position(), fresh.wholeFrom()), SLICE_MILLIS);
    }
    return false;
  }

  private boolean replaced(ProjectionFollower old, ProjectionFollower fresh) throws SQLException {
    lock.writeLock().lock();
    try (Connection connection = views.connect()) {
      if (closed || !fresh.isWhole() || fresh.position() < old.position()) {
        return false;
      }
      ViewSchemas.use(connection, name(), fresh.schema());
      active = fresh;
      return true;
    } finally {
      lock.writeLock().unlock();
    }
  }

  void drop(String schema) {
    try (Connection connection = views.connect()) {
      views.define(connection, it -> ViewSchemas.drop(it, schema));
    } catch (SQLException e) {
      LOG.atWarn().addKeyValue("view", name()).setCause(e).log("a broken replay is left for later");
    }
  }

  synchronized void replayed(RebuildResult ended) {
    lastReplay = ended;
    viewRebuild = null;
  }

  @Override
  public void close() {
    closed = true;
    cancelReplay();
    active.close();
  }
}
