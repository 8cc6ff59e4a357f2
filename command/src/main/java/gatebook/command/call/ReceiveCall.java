package gatebook.command.call;

import gatebook.command.gate.GateInput;
import gatebook.command.redact.Scrubber;
import gatebook.events.call.Principal;
import gatebook.events.call.Transport;
import gatebook.events.keys.ContentOwner;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Decides a call that was received.
 *
 * @param rulesHash of the rules in force when it was received
 * @param rpcId the token of the JSON-RPC id, absent for a notification
 * @param params the text of an object or array as it was sent; absent where there was none
 * @param arguments the part of the params that the target receives
 * @param deferral absent when the caller can only wait for the response
 * @param treeTaskId the task of a tree that this call is a run of; absent for every other call
 * @param agent that the caller addressed; absent when it addressed none
 * @param aboutIds that the caller named, of a task, a context or a message
 */
public record ReceiveCall(
    UUID callId,
    String correlationId,
    @Nullable String traceId,
    DialectVersion dialectVersion,
    Transport transport,
    Instant receivedAt,
    String method,
    @Nullable String rpcId,
    Principal principal,
    Intent intent,
    @Nullable String params,
    @Nullable String arguments,
    @Nullable Deferral deferral,
    String rulesHash,
    @Nullable String treeTaskId,
    @Nullable String agent,
    List<String> aboutIds)
    implements ContentCommand {
  public ReceiveCall {
    aboutIds = List.copyOf(aboutIds);
  }

  /** A call that addresses no agent, and names no ids. */
  public ReceiveCall(
      UUID callId,
      String correlationId,
      @Nullable String traceId,
      DialectVersion dialectVersion,
      Transport transport,
      Instant receivedAt,
      String method,
      @Nullable String rpcId,
      Principal principal,
      Intent intent,
      @Nullable String params,
      @Nullable String arguments,
      @Nullable Deferral deferral,
      String rulesHash,
      @Nullable String treeTaskId) {
    this(
        callId,
        correlationId,
        traceId,
        dialectVersion,
        transport,
        receivedAt,
        method,
        rpcId,
        principal,
        intent,
        params,
        arguments,
        deferral,
        rulesHash,
        treeTaskId,
        null,
        List.of());
  }

  /** Whether the caller expects no response. */
  public boolean isNotification() {
    return rpcId == null;
  }

  /** The ids that are recorded: all but those that look like a secret and are not ours. */
  public @Nullable List<String> recordedAboutIds(Scrubber names) {
    if (aboutIds.isEmpty()) {
      return null;
    }
    List<String> ids =
        aboutIds.stream()
            .filter(id -> TaskId.parse(id).isPresent() || id.equals(names.scrub(id)))
            .distinct()
            .toList();
    return ids.isEmpty() ? null : ids;
  }

  /** The input of the gates when the call acts on a target. */
  public GateInput gateInput(Intent.Act act) {
    return new GateInput(
        principal, method, act.target(), act.targetKind(), arguments, receivedAt, act.others());
  }

  @Override
  public ContentOwner contentOwner() {
    return ContentOwner.ofCall(principal.name(), callId);
  }
}
