package gatebook.api.dialect;

import gatebook.events.call.Dialect;
import gatebook.events.call.Told;
import gatebook.events.fault.Fault;

/** The codes and words of one dialect. */
interface Vocabulary {

  Dialect dialect();

  /** What the caller is told of a fault; of a kind it has no code for, its nearest general one. */
  Told tell(Fault fault, String correlationId);
}
