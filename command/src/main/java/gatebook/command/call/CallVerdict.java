package gatebook.command.call;

import gatebook.command.rules.ApprovalWorkflow;
import gatebook.command.rules.Source;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Ruling;
import gatebook.events.fault.Fault;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The verdict on a call that acts on a target, by gates and inspectors together; {@code rulings}
 * has one for each gate that was asked.
 */
public sealed interface CallVerdict {

  List<Ruling> rulings();

  /** The call may be forwarded now. */
  record Allowed(Source source, List<Ruling> rulings) implements CallVerdict {
    public Allowed {
      rulings = List.copyOf(rulings);
    }
  }

  /** The call may be forwarded once a person approves it. */
  record NeedsApproval(Source source, ApprovalWorkflow workflow, List<Ruling> rulings)
      implements CallVerdict {
    public NeedsApproval {
      rulings = List.copyOf(rulings);
    }
  }

  /**
   * A gate denied the call; {@code source} is absent when none answers for the target.
   *
   * @param target the first one that a gate denied
   */
  record Denied(
      @Nullable Source source,
      String target,
      Fault fault,
      DenialReason reason,
      List<Ruling> rulings)
      implements CallVerdict {
    public Denied {
      rulings = List.copyOf(rulings);
    }
  }

  /** No gate denied the call, and an inspector refused it, or it has a flaw. */
  record Withheld(Source source, Fault fault, List<Ruling> rulings) implements CallVerdict {
    public Withheld {
      rulings = List.copyOf(rulings);
    }
  }
}
