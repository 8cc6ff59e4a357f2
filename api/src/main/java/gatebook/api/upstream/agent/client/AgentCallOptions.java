package gatebook.api.upstream.agent.client;

import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Options of one call of an agent.
 *
 * @param headers sent in addition to those of the client, such as {@code traceparent}
 * @param time that the call has; absent when it begins with the request
 * @param extensions takes the extensions that the agent uses for its answer, before that arrives
 */
public record AgentCallOptions(
    Map<String, String> headers,
    AttemptListener attemptListener,
    @Nullable RequestTime time,
    Consumer<String> extensions) {

  public static final AgentCallOptions NONE = new AgentCallOptions(Map.of(), AttemptListener.NONE);

  public AgentCallOptions {
    headers = Map.copyOf(headers);
  }

  /** Options of a call that begins with the request. */
  public AgentCallOptions(Map<String, String> headers, AttemptListener attemptListener) {
    this(headers, attemptListener, null, _ -> {});
  }

  RequestTime timeOrNow() {
    return time == null ? RequestTime.start() : time;
  }
}
