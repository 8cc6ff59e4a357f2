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

  private volatile Follower active;
  private volatile @Nullable Replay replay;
  private volatile @Nullable Replayed lastReplay;
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
    record Started(Replaying replay) implements Begun {}

    /** One is under way already. */
    record Running(Replaying replay) implements Begun {}

    /** Only what is in the view can be taken over. */
    record Beyond(long position) implements Begun {}

    record Closed() implements Begun {}
  }

  private View(ViewFile views, Journal journal, Projection projection) throws SQLException {
    this.views = views;
    this.journal = journal;
    this.projection = projection;
    this.active = Follower.start(views, journal, projection, schemaInUse());
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
      return views.define(connection, it -> Schemas.inUse(it, projection.name()));
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
  public Standing standing() {
    Follower follower = active;
    Replay running = replay;
    long at = follower.position();
    return new Standing(
        projection.name(),
        at,
        Math.max(0, journal.head() - at),
        state(follower, at),
        follower.parked(),
        follower.failure(),
        running == null ? null : running.progress(),
        lastReplay);
  }

  private Standing.State state(Follower follower, long at) {
    if (closed) {
      return Standing.State.STOPPED;
    }
    if (follower.failure() != null) {
      return Standing.State.FAILING;
    }
    if (!follower.isWhole()) {
      return Standing.State.MAKING;
    }
    return at < journal.head() ? Standing.State.CATCHING_UP : Standing.State.UP_TO_DATE;
  }

  /** Begins to make the view anew; what it held up to a position is taken over. */
  public synchronized Begun replay(long from) {
    Replay running = replay;
    if (closed) {
      return new Begun.Closed();
    }
    if (running != null) {
      return new Begun.Running(running.progress());
    }
    if (from > position()) {
      return new Begun.Beyond(position());
    }
    running = Replay.begin(this, journal, Schemas.after(active.schema()), from);
    replay = running;
    return new Begun.Started(running.progress());
  }

  /** As {@link #replay(long)}, with what it held before this time. */
  public Begun replay(Instant from) {
    return replay(journal.positionBefore(from));
  }

  /** Gives up making the view anew; false when nobody is at it. */
  public boolean cancelReplay() {
    Replay running = replay;
    if (running == null) {
      return false;
    }
    running.cancel();
    return !running.ended().join();
  }

  /** The events that could not be taken in, oldest first. */
  public List<Parked> parked(int limit) {
    return read(connection -> Parking.list(connection, journal, limit));
  }

  /** Tries a parked event again. */
  public Parked.Attempt retry(long position) {
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

  Follower madeBeside(String schema, long from) throws SQLException {
    Making.begin(views, journal, projection, active.schema(), schema, from);
    return Follower.start(views, journal, projection, schema);
  }

  /** Has questions answered by another making of the view, once that is not behind this one. */
  boolean replaceBy(Follower fresh, BooleanSupplier stillWanted)
      throws SQLException, InterruptedException {
    while (stillWanted.getAsBoolean()) {
      Follower old = active;
      if (replaced(old, fresh)) {
        old.close();
        drop(old.schema());
        return true;
      }
      fresh.await(Math.max(old.position(), fresh.wholeFrom()), SLICE_MILLIS);
    }
    return false;
  }

  private boolean replaced(Follower old, Follower fresh) throws SQLException {
    lock.writeLock().lock();
    try (Connection connection = views.connect()) {
      if (closed || !fresh.isWhole() || fresh.position() < old.position()) {
        return false;
      }
      Schemas.use(connection, name(), fresh.schema());
      active = fresh;
      return true;
    } finally {
      lock.writeLock().unlock();
    }
  }

  void drop(String schema) {
    try (Connection connection = views.connect()) {
      views.define(connection, it -> Schemas.drop(it, schema));
    } catch (SQLException e) {
      LOG.atWarn().addKeyValue("view", name()).setCause(e).log("a broken replay is left for later");
    }
  }

  synchronized void replayed(Replayed ended) {
    lastReplay = ended;
    replay = null;
  }

  @Override
  public void close() {
    closed = true;
    cancelReplay();
    active.close();
  }
}
