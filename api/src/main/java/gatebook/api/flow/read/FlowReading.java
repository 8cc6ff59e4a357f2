package gatebook.api.flow.read;

import gatebook.api.flow.task.FlowRequest;
import gatebook.events.fault.Fault;

/** A result of reading a request of the task-flow protocol. */
public sealed interface FlowReading {

  /** It is well-formed. */
  record Understood(FlowRequest request) implements FlowReading {}

  /** It is not; the fault has all problems of the first kind. */
  record Rejected(Fault fault) implements FlowReading {}

  /** The protocol has no such method here. */
  record NoSuchMethod() implements FlowReading {}
}
