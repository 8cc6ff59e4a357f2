package gatebook.api.upstream.agent.client;

/** The outcome of a request to an agent. */
public sealed interface AgentOutcome<T> {

  /** The agent did what was asked. */
  record Success<T>(T value) implements AgentOutcome<T> {}

  /** It did not, or nothing shows that it did. */
  record Failed<T>(AgentFailure failure) implements AgentOutcome<T> {}

  static <T> AgentOutcome<T> success(T value) {
    return new Success<>(value);
  }

  static <T> AgentOutcome<T> failed(AgentFailure failure) {
    return new Failed<>(failure);
  }

  /** A failure because of an answer that A2A does not allow. */
  static <T> AgentOutcome<T> invalid(String defect) {
    return new Failed<>(new AgentFailure.InvalidResponse(defect));
  }
}
