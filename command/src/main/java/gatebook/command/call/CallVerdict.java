package gatebook.command.call;

import gatebook.command.rules.ApprovalWorkflow;
import gatebook.command.rules.Source;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Ruling;
import gatebook.events.fault.Fault;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the gates and the inspectors together say of a call that acts on something; {@code rulings}
 * are those of every gate that was asked.
 */
public sealed interface CallVerdict {

  List<Ruling> rulings();

  /** It may go to the source now. */
  record Forward(Source source, List<Ruling> rulings) implements CallVerdict {
    public Forward {
      rulings = List.copyOf(rulings);
    }
  }

  /** It may go to the source when a person says so. */
  record Ask(Source source, ApprovalWorkflow workflow, List<Ruling> rulings)
      implements CallVerdict {
    public Ask {
      rulings = List.copyOf(rulings);
    }
  }

  /**
   * A gate said no; {@code source} is absent when none answers for the target.
   *
   * @param target the first one about which a gate said no
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

  /** Every gate let it pass, and an inspector said no. */
  record Withheld(Source source, Fault fault, List<Ruling> rulings) implements CallVerdict {
    public Withheld {
      rulings = List.copyOf(rulings);
    }
  }
}
