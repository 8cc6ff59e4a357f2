package gatebook.api.a2a.message;

import gatebook.api.dialect.A2aMethod;
import gatebook.api.dialect.A2aVersion;
import gatebook.api.gateway.message.DialectHandler.AnswerContext;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Unsupported.UnsupportedOperation;
import org.jspecify.annotations.Nullable;

/**
 * The context of a request of A2A that is answered here.
 *
 * @param version whose shapes the request has, and the result gets
 * @param agent that the caller addressed; absent when it is the built-in one
 */
public record RequestContext(
    A2aVersion version, @Nullable String agent, AnswerContext answerContext) {

  /** The fault of a method that is not supported, or not so; the reason may be absent. */
  public Fault unsupported(A2aMethod method, @Nullable String reason) {
    return new UnsupportedOperation(method.wireName(version).orElseThrow(), reason);
  }
}
