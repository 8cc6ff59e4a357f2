package gatebook.api.gateway;

import gatebook.api.rpc.RpcMessage;
import gatebook.events.call.Transport;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An incoming message as its transport received it.
 *
 * @param correlationId the id that the caller sent, unchecked
 * @param traceparent the trace that the caller sent, unchecked; absent also when it came twice
 * @param dialectVersion the version of the dialect that the caller declared, unchecked
 * @param channel what it is part of
 * @param headers headers of the caller, by their names in lower case, some of which sources are
 *     sent as well
 * @param agent that the caller addressed; absent when it addressed none
 */
public record IncomingMessage(
    RpcMessage message,
    long sizeBytes,
    Transport transport,
    Caller caller,
    @Nullable String correlationId,
    @Nullable String traceparent,
    @Nullable String dialectVersion,
    ClientChannel channel,
    Map<String, String> headers,
    @Nullable String agent) {
  public IncomingMessage {
    headers = Map.copyOf(headers);
  }

  /** A message that addresses no agent. */
  public IncomingMessage(
      RpcMessage message,
      long sizeBytes,
      Transport transport,
      Caller caller,
      @Nullable String correlationId,
      @Nullable String traceparent,
      @Nullable String dialectVersion,
      ClientChannel channel,
      Map<String, String> headers) {
    this(
        message,
        sizeBytes,
        transport,
        caller,
        correlationId,
        traceparent,
        dialectVersion,
        channel,
        headers,
        null);
  }
}
