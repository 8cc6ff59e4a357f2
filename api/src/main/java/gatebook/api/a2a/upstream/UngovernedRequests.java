package gatebook.api.a2a.upstream;

import gatebook.api.a2a.message.A2aAgent;
import gatebook.api.a2a.message.A2aRequest;
import gatebook.api.a2a.message.DeclinedRequests;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.events.fault.Fault;
import java.util.concurrent.CompletableFuture;

/** Answers the ungoverned requests to agents upstream: those that no agent gets. */
public final class UngovernedRequests implements A2aAgent {
  @Override
  public CompletableFuture<Ended> answer(A2aRequest request, RequestContext context) {
    return CompletableFuture.completedFuture(new Ended.Failure(fault(request, context)));
  }

  private static Fault fault(A2aRequest request, RequestContext context) {
    return switch (request) {
      case A2aRequest.Declined declined -> DeclinedRequests.fault(declined, context);
      case A2aRequest.Send _,
          A2aRequest.Stream _,
          A2aRequest.Get _,
          A2aRequest.ListTasks _,
          A2aRequest.Cancel _,
          A2aRequest.Subscribe _ ->
          throw new IllegalArgumentException("the agent gets this request");
    };
  }
}
