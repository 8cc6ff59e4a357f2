package gatebook.api.gateway;

import gatebook.command.call.HoldQuota;
import gatebook.command.rules.GatewayLimits;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** Quota of the calls that this node holds for approval. */
public final class NodeHoldQuota implements HoldQuota {

  private final Map<UUID, String> taken = new HashMap<>();
  private final Map<String, Integer> byPrincipal = new HashMap<>();

  @Override
  public synchronized QuotaResult take(UUID callId, String principal, GatewayLimits gatewayLimits) {
    if (taken.size() >= gatewayLimits.heldMax()) {
      return QuotaResult.FULL;
    }
    if (byPrincipal.getOrDefault(principal, 0) >= gatewayLimits.heldPerPrincipalMax()) {
      return QuotaResult.PRINCIPAL_FULL;
    }
    takeAnyway(callId, principal);
    return QuotaResult.TAKEN;
  }

  /** Takes quota for a call, also beyond the limit. */
  synchronized void takeAnyway(UUID callId, String principal) {
    if (taken.put(callId, principal) == null) {
      byPrincipal.merge(principal, 1, Integer::sum);
    }
  }

  @Override
  public synchronized void release(UUID callId) {
    String principal = taken.remove(callId);
    if (principal != null) {
      byPrincipal.computeIfPresent(principal, (_, calls) -> calls == 1 ? null : calls - 1);
    }
  }

  synchronized int count() {
    return taken.size();
  }
}
