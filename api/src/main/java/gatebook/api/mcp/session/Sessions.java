package gatebook.api.mcp.session;

import gatebook.command.rules.Limits;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The conversations of this process. Each is its client's alone, and ends when nothing happens. */
public final class Sessions implements AutoCloseable {

  private static final int ID_BYTES = 16;
  private static final long SWEEP_MILLIS = 1_000;

  private final SecureRandom random = new SecureRandom();
  private final Map<String, Session> sessions = new ConcurrentHashMap<>();
  private final Supplier<Limits> limits;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("sessions").daemon().factory());

  public Sessions(Supplier<Limits> limits) {
    this.limits = limits;
    ScheduledFuture<?> _ =
        timer.scheduleWithFixedDelay(
            this::sweep, SWEEP_MILLIS, SWEEP_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** What a client that introduces itself may become; nobody finds it before it is kept. */
  public Session prepare(String principal) {
    byte[] id = new byte[ID_BYTES];
    random.nextBytes(id);
    return new Session(HexFormat.of().formatHex(id), principal);
  }

  /** Whether there is room for another. */
  public boolean hasRoom() {
    return sessions.size() < limits.get().sessionsMax();
  }

  public void keep(Session session) {
    sessions.put(session.id(), session);
  }

  /** One of this principal's; those of others are not to be told from those that are none. */
  public Optional<Session> find(String id, String principal) {
    Optional<Session> found =
        Optional.ofNullable(sessions.get(id)).filter(session -> session.isOf(principal));
    found.ifPresent(Session::used);
    return found;
  }

  public void end(Session session) {
    sessions.remove(session.id());
    session.close();
  }

  public ScheduledExecutorService timer() {
    return timer;
  }

  public int count() {
    return sessions.size();
  }

  private void sweep() {
    long most = TimeUnit.MILLISECONDS.toNanos(limits.get().sessionIdleMillisMax());
    sessions.values().stream().filter(session -> session.idleNanos() > most).forEach(this::end);
  }

  @Override
  public void close() {
    sessions.values().forEach(this::end);
    timer.shutdown();
  }
}
