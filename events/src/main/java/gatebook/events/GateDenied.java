package gatebook.events;

import gatebook.events.call.DenialReason;
import gatebook.events.call.Gate;
import gatebook.events.call.ObservedVerdict;
import gatebook.events.call.Ruling;
import gatebook.events.call.Verdict;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A gate denied the call: the last of the {@code rulings}, which are those of every gate that
 * decided. Target and principal are repeated here because denials are counted by them.
 *
 * @param logicVersion of the gates' logic; absent in events from before it was recorded
 * @param observed the verdict of a candidate; absent where none is observed
 */
@Named(name = "GateDenied", version = "1")
public record GateDenied(
    UUID callId,
    String rulesHash,
    @Nullable String target,
    String principal,
    List<Ruling> rulings,
    @Nullable Integer logicVersion,
    @Nullable ObservedVerdict observed)
    implements CallEvent {

  public GateDenied {
    rulings = List.copyOf(rulings);
    if (rulings.isEmpty() || !(rulings.getLast().verdict() instanceof Verdict.Deny)) {
      throw new IllegalArgumentException("the last ruling of a denied call is a denial");
    }
  }

  /** Denied by gates whose version is not known. */
  public GateDenied(
      UUID callId,
      String rulesHash,
      @Nullable String target,
      String principal,
      List<Ruling> rulings) {
    this(callId, rulesHash, target, principal, rulings, null, null);
  }

  /** The gate that denied the call. */
  public Gate gate() {
    return rulings.getLast().gate();
  }

  /** The reason of the denial. */
  public DenialReason reason() {
    return ((Verdict.Deny) rulings.getLast().verdict()).reason();
  }
}
