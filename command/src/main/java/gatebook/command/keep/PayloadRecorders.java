package gatebook.command.keep;

import gatebook.command.rules.Rules;
import gatebook.events.keys.ContentOwner;

/** Supplies the payload recorder for given rules and for the content of one owner. */
@FunctionalInterface
public interface PayloadRecorders {
  PayloadRecorder of(Rules rules, ContentOwner owner);
}
