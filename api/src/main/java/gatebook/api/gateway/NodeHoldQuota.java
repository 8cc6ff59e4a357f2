package gatebook.api.gateway;

import gatebook.command.call.HoldQuota;
import gatebook.command.rules.GatewayLimits;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** The seats of this node, for calls that wait for a person. */
public final class NodeHoldQuota implements HoldQuota {

  private final Map<UUID, String> taken = new HashMap<>();
  private final Map<String, Integer> byPrincipal = new HashMap<>();

  @Override
  public synchronized Seating take(UUID callId, String principal, GatewayLimits gatewayLimits) {
    if (taken.size() >= gatewayLimits.heldMax()) {
      return Seating.FULL;
    }
    if (byPrincipal.getOrDefault(principal, 0) >= gatewayLimits.heldPerPrincipalMax()) {
      return Seating.PRINCIPAL_FULL;
    }
    keep(callId, principal);
    return Seating.TAKEN;
  }

  /** Takes a seat, whether there is room or not. */
  synchronized void keep(UUID callId, String principal) {
    if (taken.put(callId, principal) == null) {
      byPrincipal.merge(principal, 1, Integer::sum);
    }
  }

  /** Gives a call's seat back; does nothing for a call that has none. */
  synchronized void leave(UUID callId) {
    String principal = taken.remove(callId);
    if (principal != null) {
      byPrincipal.computeIfPresent(principal, (_, seats) -> seats == 1 ? null : seats - 1);
    }
  }

  synchronized int count() {
    return taken.size();
  }
}
