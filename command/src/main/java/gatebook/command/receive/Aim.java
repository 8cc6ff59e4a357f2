package gatebook.command.receive;

import gatebook.command.gate.Asked;
import gatebook.events.fault.Fault;

/** What a call wants, once its dialect's method and params are understood. */
public sealed interface Aim {

  /** To act on a named target of some source, which the gates decide. */
  record Act(String target, Asked.On on) implements Aim {}

  /** What is answered here, acts on nothing and is governed by no gate. */
  record Ask() implements Aim {}

  /** What nobody can do for the caller. */
  record Unservable(Fault fault) implements Aim {}
}
