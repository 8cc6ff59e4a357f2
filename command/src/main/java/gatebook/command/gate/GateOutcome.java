package gatebook.command.gate;

import gatebook.command.rules.ApprovalWorkflow;
import gatebook.command.rules.Source;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Ruling;
import gatebook.events.call.Verdict;
import gatebook.events.fault.Denied.ApprovalRejected;
import gatebook.events.fault.Fault;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The outcome of the gates for a call; {@code rulings} has one for each gate that was asked. */
public sealed interface GateOutcome {

  List<Ruling> rulings();

  /** It may be forwarded now; {@code source} is the one of the first target. */
  record Allowed(Source source, List<Ruling> rulings) implements GateOutcome {}

  /** It may be forwarded once a person approves it. */
  record NeedsApproval(Source source, ApprovalWorkflow workflow, List<Ruling> rulings)
      implements GateOutcome {

    /** The denial of a call for which no approval can be requested because of this target. */
    public Denied denied(GateInput gateInput, String why) {
      List<Ruling> all = new ArrayList<>(rulings);
      all.add(
          new Ruling.Approval(
              new Verdict.Deny(DenialReason.NOT_ASKED, null), workflow.name(), null, null, 0));
      Fault fault =
          new ApprovalRejected(
              gateInput.target(), null, why, workflow.name(), gateInput.targetKind().content());
      return new Denied(source, gateInput.target(), fault, DenialReason.NOT_ASKED, all);
    }
  }

  /**
   * It must not be forwarded; {@code source} is absent when none answers for the target.
   *
   * @param target the first one that a gate denied
   */
  record Denied(
      @Nullable Source source,
      String target,
      Fault fault,
      DenialReason reason,
      List<Ruling> rulings)
      implements GateOutcome {}
}
