package gatebook.api.a2a;

import gatebook.api.dialect.A2aMethod;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.events.fault.Fault;
import java.util.concurrent.CompletableFuture;

/** Answers the ungoverned requests to agents upstream: those that no agent gets. */
final class UngovernedRequests implements A2aAgent {
  private static final String NO_STREAMS = "responses are no streams";

  @Override
  public CompletableFuture<Ended> answer(A2aRequest request, RequestContext context) {
    return CompletableFuture.completedFuture(new Ended.Failure(fault(request, context)));
  }

  private static Fault fault(A2aRequest request, RequestContext context) {
    return switch (request) {
      case A2aRequest.Stream _ -> context.unsupported(A2aMethod.STREAM, NO_STREAMS);
      case A2aRequest.Subscribe _ -> context.unsupported(A2aMethod.SUBSCRIBE, NO_STREAMS);
      case A2aRequest.Declined declined -> DeclinedRequests.fault(declined, context);
      case A2aRequest.Send _, A2aRequest.Get _, A2aRequest.ListTasks _, A2aRequest.Cancel _ ->
          throw new IllegalArgumentException("the agent gets this request");
    };
  }
}
