package gatebook.command.call;

import gatebook.command.gate.GateInput;
import gatebook.command.rules.Rules;
import gatebook.events.call.Principal;
import gatebook.events.call.Transport;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Decide what becomes of a call that came in.
 *
 * @param rules those of the moment it came in
 * @param rpcId the token of the JSON-RPC id, absent for a notification
 * @param params the text of an object or array as it was sent; absent where there was none
 * @param arguments the part of the params that the target is given
 * @param deferral absent when the caller can only wait for the answer
 */
public record ReceiveCall(
    UUID callId,
    String correlationId,
    @Nullable String traceId,
    DialectVersion tongue,
    Transport transport,
    Instant receivedAt,
    String method,
    @Nullable String rpcId,
    Principal principal,
    Intent aim,
    @Nullable String params,
    @Nullable String arguments,
    @Nullable Deferral deferral,
    Rules rules) {

  /** Whether nobody waits for an answer. */
  public boolean isNotification() {
    return rpcId == null;
  }

  /** What gates know of it when it acts on something. */
  public GateInput asked(Intent.Act act) {
    return new GateInput(
        principal, method, act.target(), act.on(), arguments, receivedAt, act.others());
  }
}
