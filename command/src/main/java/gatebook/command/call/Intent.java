package gatebook.command.call;

import gatebook.command.gate.GateInput;
import gatebook.events.fault.Fault;
import java.util.List;

/** What a call wants, once its dialect's method and params are understood. */
public sealed interface Intent {

  /**
   * To act on named targets of some sources, which the gates decide.
   *
   * @param others besides the first
   */
  record Act(String target, GateInput.On on, List<String> others) implements Intent {
    public Act {
      others = List.copyOf(others);
    }

    /** On one. */
    public Act(String target, GateInput.On on) {
      this(target, on, List.of());
    }

    /** What it acts on, in short. */
    public String targets() {
      return GateInput.targets(target, others);
    }
  }

  /** What is answered here, acts on nothing and is governed by no gate. */
  record Ask() implements Intent {}

  /** What nobody can do for the caller. */
  record Unservable(Fault fault) implements Intent {}
}
