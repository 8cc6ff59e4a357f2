package gatebook.api.upstream.source;

import gatebook.api.upstream.agent.client.AgentLimits;
import gatebook.api.upstream.http.ConnectionLimits;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import gatebook.command.rules.Source;

/**
 * The limits of upstreams. Connect and answer timeouts are those of each source.
 *
 * @param depthMax how deep anything in an answer may be nested
 * @param answerMillisMax how far notifications may extend a shorter timeout of a source
 */
public record UpstreamLimits(
    ConnectionLimits connections, AgentLimits agents, int depthMax, long answerMillisMax) {

  public static final UpstreamLimits DEFAULT = of(GatewayLimits.DEFAULT);

  /** The limits of upstreams among those of the gateway. */
  public static UpstreamLimits of(GatewayLimits all) {
    ConnectionLimits connections = ConnectionLimits.DEFAULT;
    AgentLimits agents = AgentLimits.DEFAULT;
    return new UpstreamLimits(
        new ConnectionLimits(
            connections.connectionsMax(),
            connections.waitingMax(),
            connections.idleMillisMax(),
            all.get(Limit.CONNECT_MILLIS_MAX),
            all.getInt(Limit.HEADER_BYTES_MAX),
            all.get(Limit.ANSWER_BYTES_MAX),
            all.getInt(Limit.STREAMS_MAX),
            all.get(Limit.STREAM_MILLIS_MAX)),
        new AgentLimits(
            all.get(Limit.CONNECT_MILLIS_MAX),
            all.get(Limit.ANSWER_MILLIS_MAX),
            all.get(Limit.AGENT_MESSAGE_MILLIS_MAX),
            all.get(Limit.AGENT_STREAM_IDLE_MILLIS_MAX),
            all.get(Limit.STREAM_MILLIS_MAX),
            all.get(Limit.ANSWER_BYTES_MAX),
            all.getInt(Limit.AGENT_CARD_BYTES_MAX),
            all.get(Limit.ANSWER_BYTES_MAX),
            all.get(Limit.AGENT_STREAM_ITEMS_MAX),
            all.get(Limit.AGENT_STREAM_BYTES_MAX),
            all.getInt(Limit.DEPTH_MAX),
            agents.messageCharsMax(),
            all.get(Limit.AGENT_CARD_MILLIS_MAX)),
        all.getInt(Limit.DEPTH_MAX),
        all.get(Limit.ANSWER_MILLIS_MAX));
  }

  /** The limits of one source, with its own timeouts. */
  UpstreamLimits of(Source source) {
    return new UpstreamLimits(
        new ConnectionLimits(
            connections.connectionsMax(),
            connections.waitingMax(),
            connections.idleMillisMax(),
            source.connectMillis(),
            connections.headerBytesMax(),
            connections.answerBytesMax(),
            connections.streamsMax(),
            connections.streamMillisMax()),
        new AgentLimits(
            source.connectMillis(),
            source.answerMillis(),
            source.messageMillis(),
            agents.streamIdleMillisMax(),
            agents.streamMillisMax(),
            agents.responseBytesMax(),
            agents.cardBytesMax(),
            agents.itemBytesMax(),
            agents.streamItemsMax(),
            agents.streamBytesMax(),
            agents.depthMax(),
            agents.messageCharsMax(),
            agents.cardMillisMax()),
        depthMax,
        answerMillisMax);
  }
}
