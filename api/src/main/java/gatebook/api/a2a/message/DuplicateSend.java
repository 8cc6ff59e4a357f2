package gatebook.api.a2a.message;

import static gatebook.api.rpc.JsonStrings.quoted;

import gatebook.api.dialect.A2aMethod;
import gatebook.api.dialect.A2aVersion;
import gatebook.api.gateway.message.ClientChannel;
import gatebook.api.gateway.message.DialectHandler.SourceRoute;
import gatebook.api.upstream.Upstream.Ended;
import org.jspecify.annotations.Nullable;

/**
 * A duplicate of a message sent to an agent upstream. Its task is read, and the caller gets the
 * task as the response to the message; a stream has it as its only item.
 *
 * @param historyLength that the caller wants; absent when it does not say
 */
public record DuplicateSend(
    A2aVersion version, String taskId, @Nullable Integer historyLength, boolean isStream) {

  /** The route of the message, with the request that reads its task. */
  public SourceRoute toAgent(SourceRoute route) {
    String history = historyLength == null ? "" : ",\"historyLength\":" + historyLength;
    return route.withRequest(
        A2aMethod.GET.wireName(version).orElseThrow(),
        "{\"id\":%s%s}".formatted(quoted(taskId), history));
  }

  /** {@code requestId} is absent when no response is wanted. */
  public Ended toCaller(Ended ended, ClientChannel channel, @Nullable String requestId) {
    if (!(ended instanceof Ended.Result result)) {
      return ended;
    }
    if (isStream && requestId != null && channel instanceof A2aExchange exchange) {
      exchange.relay(requestId);
    }
    return switch (version) {
      case V0_3 -> result;
      case V1_0 -> result.withJson("{\"task\":%s}".formatted(result.json()));
    };
  }
}
