package gatebook.command.call;

import gatebook.command.rules.CallQuota;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Rules;
import gatebook.events.CallReceived;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected.Limit;
import gatebook.events.fault.Misdirected.RateLimited;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The quotas from which a call takes before it is forwarded or held: the quotas of the rules, and
 * the slots of held calls. A call takes from all at once or from none.
 */
public interface CallQuotas {

  /** Takes what a call needs; takes nothing when one of its quotas has no room. */
  QuotaResult take(QuotaRequest request);

  /** Gives back all that a call took, which is not recorded; does nothing when it took nothing. */
  void giveBack(UUID callId);

  /**
   * What a call needs.
   *
   * @param principal its name
   * @param receivedAt says in which day the call is counted
   * @param isHeld whether it needs a slot of held calls
   * @param quotas the quotas of the rules that count it
   * @param limits of held calls
   */
  record QuotaRequest(
      UUID callId,
      String principal,
      Instant receivedAt,
      boolean isHeld,
      List<CallQuota> quotas,
      GatewayLimits limits) {
    public QuotaRequest {
      quotas = List.copyOf(quotas);
    }

    /** What a call needs that is decided so; absent when it needs nothing. */
    public static @Nullable QuotaRequest of(
        ReceiveCall call, Decision<ReceiveOutcome> decision, Rules rules) {
      boolean isHeld = decision.outcome().isHeld();
      if (!isHeld && (rules.quotas().isEmpty() || !decision.outcome().isForwarded())) {
        return null;
      }
      List<CallQuota> quotas =
          decision.events().getFirst() instanceof CallReceived received
              ? quotas(call, received.source(), rules)
              : List.of();
      return isHeld || !quotas.isEmpty() ? of(call, isHeld, quotas, rules) : null;
    }

    /** What a call of this source needs that an earlier process held. */
    public static QuotaRequest ofHeld(ReceiveCall call, @Nullable String source, Rules rules) {
      return of(call, true, quotas(call, source, rules), rules);
    }

    private static QuotaRequest of(
        ReceiveCall call, boolean isHeld, List<CallQuota> quotas, Rules rules) {
      return new QuotaRequest(
          call.callId(),
          call.principal().name(),
          call.receivedAt(),
          isHeld,
          quotas,
          rules.limits());
    }

    private static List<CallQuota> quotas(ReceiveCall call, @Nullable String source, Rules rules) {
      return rules.quotas().isEmpty()
              || source == null
              || !(call.intent() instanceof Intent.Act act)
          ? List.of()
          : rules.sources().stream()
              .filter(it -> it.id().equals(source))
              .findFirst()
              .map(it -> rules.quotas(call.principal(), it, act.targets()))
              .orElse(List.of());
    }
  }

  /** The result of taking. */
  sealed interface QuotaResult {
    QuotaResult TAKEN = new Taken();

    /** This principal has as many held calls as allowed. */
    QuotaResult PRINCIPAL_FULL = new HoldFull(new RateLimited(Limit.HELD_CALLS, null));

    /** There are as many held calls as allowed. */
    QuotaResult FULL = new HoldFull(new ServiceUnavailable(Cause.HELD_CALLS_FULL, null));

    record Taken() implements QuotaResult {}

    /** There is no slot for another held call. */
    record HoldFull(Fault fault) implements QuotaResult {}

    /** A quota of the rules has no room. */
    record UsedUp(RateLimited fault) implements QuotaResult {}
  }
}
