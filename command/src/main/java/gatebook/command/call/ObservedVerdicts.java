package gatebook.command.call;

import gatebook.events.call.ObservedVerdict;

/** Is told each verdict of a candidate that is recorded. */
@FunctionalInterface
public interface ObservedVerdicts {
  void add(ObservedVerdict verdict);
}
