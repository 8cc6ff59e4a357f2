package gatebook.api.flow;

import gatebook.api.upstream.Upstream.Ended;
import gatebook.events.fault.Fault;
import gatebook.events.fault.TaskFault;
import java.io.Serial;
import java.util.List;
import java.util.concurrent.CompletionException;

/** Ends the steps of a request with a fault that its caller is told. */
final class RefusedRequest extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  private final transient Fault fault;

  RefusedRequest(Fault fault) {
    super(fault.kind(), null, false, false);
    this.fault = fault;
  }

  /** Several faults of one kind. */
  RefusedRequest(List<TaskFault> faults) {
    this(TaskFault.of(faults));
  }

  /** The end of a request that failed with this; any other failure is passed on. */
  static Ended ended(Throwable failure) {
    return switch (failure) {
      case RefusedRequest refused -> new Ended.Failure(refused.fault);
      case CompletionException wrapper when wrapper.getCause() instanceof RefusedRequest refused ->
          new Ended.Failure(refused.fault);
      case RuntimeException thrown -> throw thrown;
      default -> throw new CompletionException(failure);
    };
  }
}
