package gatebook.api.dialect;

import gatebook.events.fault.Fault;
import gatebook.events.fault.Problem;
import gatebook.events.fault.PublicFault;

/**
 * The error vocabulary of clients of A2A 0.3: the protocol's own codes and messages. Data is an
 * object with {@code correlation_id}, and {@code reason} is the name of the fault.
 */
final class A2aV03Vocabulary implements ErrorVocabulary {

  @Override
  public ErrorWords words(Fault fault) {
    PublicFault publicFault = fault.shown();
    ErrorWords errorWords =
        A2aWords.of(fault, publicFault, A2aVersion.V0_3)
            .put("reason", A2aWords.faultName(fault))
            .put("cause", publicFault.reason())
            .put("retry_after", publicFault.retryAfterSeconds());
    return publicFault.problems().isEmpty()
        ? errorWords
        : problem(errorWords, publicFault.problems().getFirst());
  }

  private static ErrorWords problem(ErrorWords errorWords, Problem problem) {
    return errorWords
        .put("param", problem.param())
        .put("expected", problem.expected())
        .put("received", problem.received())
        .put("accepted", problem.accepted());
  }
}
