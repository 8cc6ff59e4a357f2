package gatebook.api.gateway.message;

import gatebook.api.memory.InFlightMemory;
import gatebook.api.memory.MemoryReservation;
import gatebook.api.rpc.RpcMessage;
import gatebook.events.call.Transport;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An incoming message as its transport received it.
 *
 * @param correlationId the id that the caller sent, unchecked
 * @param traceparent the trace that the caller sent, unchecked; absent also when it came twice
 * @param dialectVersion the version of the dialect that the caller declared, unchecked
 * @param channel what it is part of
 * @param headers those of the caller that a dialect or a source reads, by their names in lower case
 * @param agent that the caller addressed; absent when it addressed none
 * @param memory what is reserved for the message, and for the answer to it
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
    @Nullable String agent,
    MemoryReservation memory) {
  public IncomingMessage {
    headers = Map.copyOf(headers);
  }

  /** A message of the one caller of this process that was not read. */
  public static IncomingMessage unread(RpcMessage.Unreadable message, Transport transport) {
    return new IncomingMessage(
        message,
        0,
        transport,
        new Caller(List.of(), true, CallerConnection.UNOBSERVED),
        null,
        null,
        null,
        ClientChannel.NONE,
        Map.of());
  }

  /** A message that addresses no agent and has no memory reserved. */
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
        null,
        InFlightMemory.OF_PROCESS.openUnheld());
  }
}
