package gatebook.events;

import gatebook.events.call.Dialect;
import gatebook.events.call.Erasable;
import gatebook.events.call.KeptContent;
import gatebook.events.call.Principal;
import gatebook.events.call.Transport;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The call was received, and nothing was decided about it yet.
 *
 * <p>{@code rpcId} is the exact token of the JSON-RPC id, absent for a notification. {@code
 * receivedAt} is the time that the gates use. {@code source} and {@code target} are absent where
 * the call has none, {@code agent} (as the caller addressed it) where no agent was addressed.
 * {@code aboutIds} are the ids that the caller named, of a task, a context or a message, and that
 * look like no secret; absent where it named none. {@code arguments} are absent where the message
 * had none, {@code original} (the message as received) where the rules do not keep it. {@code
 * budgets} are the names of the quotas whose daily budgets count the call; absent where none does.
 */
@Named(name = "CallReceived", version = "2")
public record CallReceived(
    UUID callId,
    String correlationId,
    @Nullable String traceId,
    Dialect dialect,
    @Nullable String dialectVersion,
    Transport transport,
    Instant receivedAt,
    String method,
    @Nullable String rpcId,
    Principal principal,
    @Nullable String source,
    @Nullable String target,
    @Nullable String taskId,
    @Nullable KeptContent arguments,
    @Erasable(isOriginal = true) @Nullable String original,
    String rulesHash,
    @Nullable String agent,
    @Nullable List<String> aboutIds,
    @Nullable List<String> budgets)
    implements CallEvent {
  public CallReceived {
    aboutIds = aboutIds == null ? null : List.copyOf(aboutIds);
    budgets = budgets == null ? null : List.copyOf(budgets);
  }

  /** A call that names no ids, and that no budget counts. */
  public CallReceived(
      UUID callId,
      String correlationId,
      @Nullable String traceId,
      Dialect dialect,
      @Nullable String dialectVersion,
      Transport transport,
      Instant receivedAt,
      String method,
      @Nullable String rpcId,
      Principal principal,
      @Nullable String source,
      @Nullable String target,
      @Nullable String taskId,
      @Nullable KeptContent arguments,
      @Nullable String original,
      String rulesHash,
      @Nullable String agent) {
    this(
        callId,
        correlationId,
        traceId,
        dialect,
        dialectVersion,
        transport,
        receivedAt,
        method,
        rpcId,
        principal,
        source,
        target,
        taskId,
        arguments,
        original,
        rulesHash,
        agent,
        null,
        null);
  }

  /** A call that addressed no agent. */
  public CallReceived(
      UUID callId,
      String correlationId,
      @Nullable String traceId,
      Dialect dialect,
      @Nullable String dialectVersion,
      Transport transport,
      Instant receivedAt,
      String method,
      @Nullable String rpcId,
      Principal principal,
      @Nullable String source,
      @Nullable String target,
      @Nullable String taskId,
      @Nullable KeptContent arguments,
      @Nullable String original,
      String rulesHash) {
    this(
        callId,
        correlationId,
        traceId,
        dialect,
        dialectVersion,
        transport,
        receivedAt,
        method,
        rpcId,
        principal,
        source,
        target,
        taskId,
        arguments,
        original,
        rulesHash,
        null);
  }
}
