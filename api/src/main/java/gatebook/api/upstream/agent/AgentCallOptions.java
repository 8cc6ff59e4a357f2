package gatebook.api.upstream.agent;

import java.util.Map;

/**
 * Options of one call of an agent.
 *
 * @param headers sent in addition to those of the client, such as {@code traceparent}
 */
public record AgentCallOptions(Map<String, String> headers, AttemptListener attemptListener) {

  public static final AgentCallOptions NONE = new AgentCallOptions(Map.of(), AttemptListener.NONE);

  public AgentCallOptions {
    headers = Map.copyOf(headers);
  }
}
