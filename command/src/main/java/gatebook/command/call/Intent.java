package gatebook.command.call;

import gatebook.command.gate.GateInput;
import gatebook.events.fault.Fault;
import java.util.List;

/** The intent of a call, read from its method and params by its dialect. */
public sealed interface Intent {

  /**
   * To act on named targets of some sources; the gates decide.
   *
   * @param others targets after the first
   */
  record Act(String target, GateInput.TargetKind targetKind, List<String> others)
      implements Intent {
    public Act {
      others = List.copyOf(others);
    }

    /** With one target. */
    public Act(String target, GateInput.TargetKind targetKind) {
      this(target, targetKind, List.of());
    }

    /** The targets in one line, cut to the length that is stored. */
    public String targetSummary() {
      return GateInput.targetSummary(target, others);
    }
  }

  /** To get an answer from the gateway itself; it acts on no target and is governed by no gate. */
  record AnswerHere() implements Intent {}

  /** It cannot be served, and {@code fault} is why. */
  record Unservable(Fault fault) implements Intent {}
}
