package gatebook.api.gateway;

import gatebook.api.rpc.RpcMessage;
import gatebook.events.call.Transport;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message as its transport hands it in.
 *
 * @param correlationId what the caller wants it to be called, unchecked
 * @param traceparent what the caller's tracing calls it, unchecked; absent also when it came twice
 * @param dialectVersion the version of the dialect that the caller says it speaks, unchecked
 * @param conversation what it is part of
 * @param passedOn headers of the caller, by their names in lower case, some of which sources are
 *     sent as well
 */
public record IncomingMessage(
    RpcMessage message,
    long sizeBytes,
    Transport transport,
    Caller caller,
    @Nullable String correlationId,
    @Nullable String traceparent,
    @Nullable String dialectVersion,
    ClientChannel conversation,
    Map<String, String> passedOn) {
  public IncomingMessage {
    passedOn = Map.copyOf(passedOn);
  }
}
