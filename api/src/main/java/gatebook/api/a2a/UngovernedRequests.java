package gatebook.api.a2a;

import gatebook.api.dialect.A2aMethod;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Unsupported.PushNotificationNotSupported;
import gatebook.events.fault.Unsupported.UnsupportedOperation;
import java.util.concurrent.CompletableFuture;

/** Answers the ungoverned requests to agents upstream: those that no agent gets. */
final class UngovernedRequests implements A2aAgent {
  @Override
  public CompletableFuture<Ended> answer(A2aRequest request, RequestContext context) {
    return CompletableFuture.completedFuture(new Ended.Failure(fault(request, context)));
  }

  private static Fault fault(A2aRequest request, RequestContext context) {
    return switch (request) {
      case A2aRequest.Stream _ -> notStreaming(A2aMethod.STREAM, context);
      case A2aRequest.Subscribe _ -> notStreaming(A2aMethod.SUBSCRIBE, context);
      case A2aRequest.CreatePush _,
          A2aRequest.GetPush _,
          A2aRequest.ListPush _,
          A2aRequest.DeletePush _ ->
          new PushNotificationNotSupported();
      case A2aRequest.ExtendedCard _ -> BuiltInAgent.noExtendedCard(context);
      case A2aRequest.Send _, A2aRequest.Get _, A2aRequest.ListTasks _, A2aRequest.Cancel _ ->
          throw new IllegalArgumentException("the agent gets this request");
    };
  }

  private static Fault notStreaming(A2aMethod method, RequestContext context) {
    return new UnsupportedOperation(
        method.wireName(context.version()).orElseThrow(), "responses are no streams");
  }
}
