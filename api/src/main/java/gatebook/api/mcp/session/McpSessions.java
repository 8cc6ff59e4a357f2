package gatebook.api.mcp.session;

import gatebook.command.rules.GatewayLimits;
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
public final class McpSessions implements AutoCloseable {

  private static final int ID_BYTES = 16;
  private static final long SWEEP_MILLIS = 1_000;

  private final SecureRandom random = new SecureRandom();
  private final Map<String, McpSession> sessions = new ConcurrentHashMap<>();
  private final Supplier<GatewayLimits> limits;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("sessions").daemon().factory());

  public McpSessions(Supplier<GatewayLimits> limits) {
    this.limits = limits;
    ScheduledFuture<?> _ =
        timer.scheduleWithFixedDelay(
            this::sweep, SWEEP_MILLIS, SWEEP_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** What a client that introduces itself may become; nobody finds it before it is kept. */
  public McpSession prepare(String principal) {
    byte[] id = new byte[ID_BYTES];
    random.nextBytes(id);
    return new McpSession(HexFormat.of().formatHex(id), principal);
  }

  /** Whether there is room for another. */
  public boolean hasRoom() {
    return sessions.size() < limits.get().sessionsMax();
  }

  public void keep(McpSession mcpSession) {
    sessions.put(mcpSession.id(), mcpSession);
  }

  /** One of this principal's; those of others are not to be told from those that are none. */
  public Optional<McpSession> find(String id, String principal) {
    Optional<McpSession> found =
        Optional.ofNullable(sessions.get(id)).filter(mcpSession -> mcpSession.isOf(principal));
    found.ifPresent(McpSession::used);
    return found;
  }

  public void end(McpSession mcpSession) {
    sessions.remove(mcpSession.id());
    mcpSession.close();
  }

  public ScheduledExecutorService timer() {
    return timer;
  }

  public int count() {
    return sessions.size();
  }

  private void sweep() {
    long most = TimeUnit.MILLISECONDS.toNanos(limits.get().sessionIdleMillisMax());
    sessions.values().stream()
        .filter(mcpSession -> mcpSession.idleNanos() > most)
        .forEach(this::end);
  }

  @Override
  public void close() {
    sessions.values().forEach(this::end);
    timer.shutdown();
  }
}
