package gatebook.command.keep;

import gatebook.command.rules.Rules;

/** Who keeps contents under which rules. */
@FunctionalInterface
public interface PayloadRecorders {
  PayloadRecorder of(Rules rules);
}
