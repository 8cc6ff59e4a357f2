package gatebook.api.upstream.agent.client;

import gatebook.api.upstream.http.ConnectionLimits;
import gatebook.api.upstream.http.Timeouts;

/**
 * Limits for requests to one agent.
 *
 * @param connectMillisMax until a connection is usable, including DNS lookup and TLS
 * @param answerMillisMax of one attempt: from its start to the last byte of the response, or to the
 *     headers of a stream
 * @param messageMillisMax the same of an attempt to send a message
 * @param streamIdleMillisMax from one item of a stream to the next; comments are no items
 * @param streamMillisMax from the start to the end of a stream
 * @param responseBytesMax of a response that is neither a stream nor a card
 * @param cardBytesMax of a card
 * @param itemBytesMax of one item of a stream
 * @param streamItemsMax items of one stream
 * @param streamBytesMax of all items of one stream
 * @param depthMax how deep anything in an answer may be nested
 * @param messageCharsMax of an error's message, which is cut there; at least 1
 * @param cardMillisMax how long the card is remembered
 */
public record AgentLimits(
    long connectMillisMax,
    long answerMillisMax,
    long messageMillisMax,
    long streamIdleMillisMax,
    long streamMillisMax,
    long responseBytesMax,
    long cardBytesMax,
    long itemBytesMax,
    long streamItemsMax,
    long streamBytesMax,
    int depthMax,
    int messageCharsMax,
    long cardMillisMax) {

  /** Each message whose sender waits has a connection of its own until it is answered. */
  private static final int CONNECTIONS_MAX = 1_024;

  public static final AgentLimits DEFAULT =
      new AgentLimits(
          5_000, 30_000, 300_000, 300_000, 3_600_000, 10L << 20, 1L << 20, 10L << 20, 100_000,
          1L << 30, 256, 1_024, 300_000);

  ConnectionLimits connections() {
    ConnectionLimits all = ConnectionLimits.DEFAULT;
    return new ConnectionLimits(
        CONNECTIONS_MAX,
        all.waitingMax(),
        all.idleMillisMax(),
        connectMillisMax,
        all.headerBytesMax(),
        Math.max(Math.max(responseBytesMax, cardBytesMax), itemBytesMax),
        all.streamsMax(),
        streamMillisMax);
  }

  /** The timeouts of a request that sends a message, or of any other one. */
  Timeouts timeouts(boolean sendsMessage) {
    return new Timeouts(
        sendsMessage ? messageMillisMax : answerMillisMax,
        streamIdleMillisMax,
        streamMillisMax,
        streamMillisMax);
  }
}
