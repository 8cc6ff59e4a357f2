package gatebook.api.flow.task;

import gatebook.api.upstream.Upstream.Ended;
import gatebook.events.fault.Fault;
import gatebook.events.fault.TaskFault;
import java.io.Serial;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionException;

/** Ends the steps of a request with a fault that its caller is told. */
public final class RefusedRequest extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  private final transient Ended ended;

  public RefusedRequest(Fault fault) {
    this(fault, new Ended.Failure(fault));
  }

  private RefusedRequest(Fault fault, Ended ended) {
    super(fault.kind(), null, false, false);
    this.ended = ended;
  }

  /** The fault of an earlier call, which is not counted as another error. */
  public static RefusedRequest earlier(Fault fault, UUID callId) {
    return new RefusedRequest(fault, new Ended.EarlierError(fault, callId));
  }

  /** Several faults of one kind. */
  public RefusedRequest(List<TaskFault> faults) {
    this(TaskFault.of(faults));
  }

  /** The end of a request that failed with this; any other failure is passed on. */
  public static Ended ended(Throwable failure) {
    return switch (failure) {
      case RefusedRequest refused -> refused.ended;
      case CompletionException wrapper when wrapper.getCause() instanceof RefusedRequest refused ->
          refused.ended;
      case RuntimeException thrown -> throw thrown;
      default -> throw new CompletionException(failure);
    };
  }
}
