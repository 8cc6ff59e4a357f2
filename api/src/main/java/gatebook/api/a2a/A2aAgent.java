package gatebook.api.a2a;

import gatebook.api.dialect.A2aVersion;
import gatebook.api.gateway.DialectHandler.AnswerContext;
import gatebook.api.upstream.Upstream.Ended;
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
  record RequestContext(A2aVersion version, @Nullable String agent, AnswerContext answerContext) {}
}
