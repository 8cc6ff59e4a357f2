package gatebook.api.dialect;

import gatebook.events.fault.Fault;
import gatebook.events.fault.PublicFault;

/**
 * The error vocabulary of clients of A2A 0.3. Data is an object with {@code correlation_id}, and
 * {@code reason} is the name of the fault.
 */
final class A2aV03Vocabulary extends A2aVocabulary {

  A2aV03Vocabulary() {
    super(A2aVersion.V0_3);
  }

  @Override
  public ErrorWords words(Fault fault) {
    PublicFault publicFault = fault.shown();
    return super.words(fault)
        .put("reason", faultName(fault))
        .put("cause", publicFault.reason())
        .put("retry_after", publicFault.retryAfterSeconds())
        .putFirst(publicFault.problems());
  }
}
