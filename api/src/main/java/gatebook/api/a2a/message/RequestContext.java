package gatebook.api.a2a.message;

import gatebook.api.dialect.A2aMethod;
import gatebook.api.dialect.A2aVersion;
import gatebook.api.gateway.message.DialectHandler.AnswerContext;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Unsupported.UnsupportedOperation;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** An agent of A2A: answers requests, whatever version they came in. */
public interface A2aAgent {

  /** Answers a request; the result has the shapes of the request's version. */
  CompletableFuture<Ended> answer(A2aRequest request, RequestContext context);

  /**
   * The context of a request.
   *
   * @param version whose shapes the request has, and the result gets
   * @param agent that the caller addressed; absent when it is the built-in one
   */
  record RequestContext(A2aVersion version, @Nullable String agent, AnswerContext answerContext) {

    /** The fault of a method that is not supported, or not so; the reason may be absent. */
    public Fault unsupported(A2aMethod method, @Nullable String reason) {
      return new UnsupportedOperation(method.wireName(version).orElseThrow(), reason);
    }
  }
}
