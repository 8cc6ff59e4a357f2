package gatebook.command.gate;

import gatebook.command.rules.ApprovalWorkflow;
import gatebook.command.rules.Source;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Ruling;
import gatebook.events.call.Verdict;
import gatebook.events.fault.Denied;
import gatebook.events.fault.Fault;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where the gates let a call go; {@code rulings} are those of every gate that was asked. */
public sealed interface GateOutcome {

  List<Ruling> rulings();

  /** To the source, now; of several targets it is the first one's. */
  record Open(Source source, List<Ruling> rulings) implements GateOutcome {}

  /** To the source, when a person says so. */
  record Ask(Source source, ApprovalWorkflow workflow, List<Ruling> rulings)
      implements GateOutcome {

    /** Nowhere, because nobody can be asked about this target. */
    public Shut unasked(GateInput gateInput, String why) {
      List<Ruling> all = new ArrayList<>(rulings);
      all.add(
          new Ruling.Approval(
              new Verdict.Deny(DenialReason.NOT_ASKED, null), workflow.name(), null, null, 0));
      Fault fault =
          new Denied.ApprovalRejected(
              gateInput.target(), null, why, workflow.name(), gateInput.on().content());
      return new Shut(source, gateInput.target(), fault, DenialReason.NOT_ASKED, all);
    }
  }

  /**
   * Nowhere; {@code source} is absent when none answers for the target.
   *
   * @param target the first one about which a gate said no
   */
  record Shut(
      @Nullable Source source,
      String target,
      Fault fault,
      DenialReason reason,
      List<Ruling> rulings)
      implements GateOutcome {}
}
