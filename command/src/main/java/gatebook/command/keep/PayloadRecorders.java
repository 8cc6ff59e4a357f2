package gatebook.command.keep;

import gatebook.command.rules.Rules;

/** Supplies the payload recorder for given rules. */
@FunctionalInterface
public interface PayloadRecorders {
  PayloadRecorder of(Rules rules);
}
