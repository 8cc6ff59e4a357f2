package gatebook.api.upstream.source;

import gatebook.api.upstream.agent.client.AgentLimits;
import gatebook.api.upstream.http.ConnectionLimits;
import gatebook.command.rules.GatewayLimits;
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
            all.connectMillisMax(),
            all.headerBytesMax(),
            all.answerBytesMax(),
            all.streamsMax(),
            all.streamMillisMax()),
        new AgentLimits(
            all.connectMillisMax(),
            all.answerMillisMax(),
            all.agentMessageMillisMax(),
            all.agentStreamIdleMillisMax(),
            all.streamMillisMax(),
            all.answerBytesMax(),
            all.agentCardBytesMax(),
            all.answerBytesMax(),
            all.agentStreamItemsMax(),
            all.agentStreamBytesMax(),
            all.depthMax(),
            agents.messageCharsMax(),
            all.agentCardMillisMax()),
        all.depthMax(),
        all.answerMillisMax());
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
