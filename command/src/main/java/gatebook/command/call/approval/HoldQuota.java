package gatebook.command.call.approval;

import gatebook.command.rules.GatewayLimits;
import java.util.UUID;

/** The quota of held calls. A slot that was taken must be released, however its call ends. */
public interface HoldQuota {

  /** Takes a slot for a call that is about to be held; takes none when the quota is used up. */
  QuotaResult take(UUID callId, String principal, GatewayLimits gatewayLimits);

  /** Releases the slot of a call; does nothing for a call that has none. */
  void release(UUID callId);

  /** The result of taking a slot. */
  enum QuotaResult {
    TAKEN,
    /** This principal has as many held calls as allowed. */
    PRINCIPAL_FULL,
    /** There are as many held calls as allowed. */
    FULL
  }
}
