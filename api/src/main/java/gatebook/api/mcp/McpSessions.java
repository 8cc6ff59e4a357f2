package gatebook.api.mcp;

import gatebook.api.mcp.McpSession.ListenerFactory;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The MCP sessions of this process. Each belongs to one principal and ends when it is idle. */
public final class McpSessions implements AutoCloseable {

  private static final int ID_BYTES = 16;
  private static final long SWEEP_MILLIS = 1_000;

  private final SecureRandom random = new SecureRandom();
  private final Map<String, McpSession> sessions = new ConcurrentHashMap<>();
  private final Supplier<GatewayLimits> limits;
  private final ListenerFactory listeners;
  private final ScheduledExecutorService timer;

  public McpSessions(
      Supplier<GatewayLimits> limits, ListenerFactory listeners, ScheduledExecutorService timer) {
    this.limits = limits;
    this.listeners = listeners;
    this.timer = timer;
    ScheduledFuture<?> _ =
        timer.scheduleWithFixedDelay(
            this::sweep, SWEEP_MILLIS, SWEEP_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Creates a session for a client that initializes; it cannot be found before it is added. */
  public McpSession create(String principal) {
    byte[] id = new byte[ID_BYTES];
    random.nextBytes(id);
    return new McpSession(HexFormat.of().formatHex(id), principal, listeners);
  }

  /** Whether the limit allows another session. */
  public boolean hasRoom() {
    return sessions.size() < limits.get().get(Limit.SESSIONS_MAX);
  }

  public void add(McpSession mcpSession) {
    sessions.put(mcpSession.id(), mcpSession);
  }

  /** A session of this principal; empty both for an unknown id and for one of another principal. */
  public Optional<McpSession> find(String id, String principal) {
    Optional<McpSession> found =
        Optional.ofNullable(sessions.get(id)).filter(mcpSession -> mcpSession.isOf(principal));
    found.ifPresent(McpSession::markUsed);
    return found;
  }

  ScheduledExecutorService timer() {
    return timer;
  }

  public void end(McpSession mcpSession) {
    sessions.remove(mcpSession.id());
    mcpSession.close();
  }

  /** Closes a session that was not added: its sources may have opened theirs. */
  void closeUnlessAdded(McpSession mcpSession) {
    if (!sessions.containsKey(mcpSession.id())) {
      mcpSession.close();
    }
  }

  private void sweep() {
    long most = TimeUnit.MILLISECONDS.toNanos(limits.get().get(Limit.SESSION_IDLE_MILLIS_MAX));
    sessions.values().stream()
        .filter(mcpSession -> mcpSession.idleNanos() > most)
        .forEach(this::end);
  }

  /** Ends each session as soon as no call of its client is open. */
  @Override
  public void close() {
    sessions.values().forEach(McpSession::closeWhenIdle);
  }
}
