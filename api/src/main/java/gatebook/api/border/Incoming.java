package gatebook.api.border;

import gatebook.api.rpc.Message;
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
public record Incoming(
    Message message,
    long sizeBytes,
    Transport transport,
    Caller caller,
    @Nullable String correlationId,
    @Nullable String traceparent,
    @Nullable String dialectVersion,
    Conversation conversation,
    Map<String, String> passedOn) {
  public Incoming {
    passedOn = Map.copyOf(passedOn);
  }
}
