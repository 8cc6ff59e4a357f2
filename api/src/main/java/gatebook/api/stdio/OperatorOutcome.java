package gatebook.api.stdio;

import gatebook.api.rpc.RpcMessage;
import gatebook.events.fault.Fault;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.InternalError;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The outcome of an operator's request. */
@SuppressWarnings("ArrayRecordComponent") // written once and never compared
sealed interface OperatorOutcome {

  Logger LOG = LoggerFactory.getLogger(OperatorOutcome.class);

  record Answered(byte[] answer) implements OperatorOutcome {}

  record Refused(Fault fault) implements OperatorOutcome {}

  /** {@code answer} is empty while the node that answers cannot be reached. */
  static OperatorOutcome of(RpcMessage.Request request, Optional<byte[]> answer) {
    return answer
        .<OperatorOutcome>map(it ->
            OperatorAnswer.fault(request.method(), it)
                .<OperatorOutcome>map(Refused::new)
                .orElseGet(() -> new Answered(it)))
        .orElseGet(() -> new Refused(new ServiceUnavailable(Cause.JOURNAL, null)));
  }

  static OperatorOutcome of(Throwable failure) {
    LOG.error("answering an operator's request failed", failure);
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return new Refused(
        new InternalError("answering an operator's request", cause.getClass().getSimpleName()));
  }
}
