package gatebook.command.call;

import gatebook.command.gate.GateInput;
import gatebook.events.fault.Fault;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The intent of a call, read from its method and params by its dialect. */
public sealed interface Intent {

  /**
   * To act on named targets of some sources; the gates decide.
   *
   * @param others targets after the first
   * @param flaw why it is not forwarded even if no gate denies it; absent when it has none
   */
  record Act(
      String target, GateInput.TargetKind targetKind, List<String> others, @Nullable Fault flaw)
      implements Intent {
    public Act {
      others = List.copyOf(others);
    }

    /** Without a flaw. */
    public Act(String target, GateInput.TargetKind targetKind, List<String> others) {
      this(target, targetKind, others, null);
    }

    /** With one target. */
    public Act(String target, GateInput.TargetKind targetKind) {
      this(target, targetKind, List.of());
    }

    /** The same, with a flaw. */
    public Act withFlaw(Fault fault) {
      return new Act(target, targetKind, others, fault);
    }

    /** All targets, in their order. */
    public List<String> targets() {
      return others.isEmpty()
          ? List.of(target)
          : Stream.concat(Stream.of(target), others.stream()).toList();
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
