package gatebook.api.upstream.agent;

import gatebook.api.dialect.A2aVersion;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The state of an agent's task. */
public enum AgentTaskState {
  SUBMITTED(Phase.ACTIVE),
  WORKING(Phase.ACTIVE),
  COMPLETED(Phase.TERMINAL),
  FAILED(Phase.TERMINAL),
  CANCELED(Phase.TERMINAL),
  REJECTED(Phase.TERMINAL),
  INPUT_REQUIRED(Phase.INTERRUPTED),
  AUTH_REQUIRED(Phase.INTERRUPTED),

  /** Only in version 0.3. */
  UNKNOWN(Phase.ACTIVE);

  private enum Phase {
    ACTIVE,
    INTERRUPTED,
    TERMINAL
  }

  private final Phase phase;

  AgentTaskState(Phase phase) {
    this.phase = phase;
  }

  /** The state that a version has this word for; empty when there is none. */
  static Optional<AgentTaskState> of(A2aVersion version, String word) {
    return Stream.of(values())
        .filter(state -> state.word(version).filter(word::equals).isPresent())
        .findFirst();
  }

  /** The word of a version for this state; empty when it has none. */
  public Optional<String> word(A2aVersion version) {
    return switch (version) {
      case V0_3 -> Optional.of(name().toLowerCase(Locale.ROOT).replace('_', '-'));
      case V1_0 -> this == UNKNOWN ? Optional.empty() : Optional.of("TASK_STATE_" + name());
    };
  }

  /** Whether the task will not change any more. */
  public boolean isTerminal() {
    return phase == Phase.TERMINAL;
  }

  /** Whether the task waits for its caller. */
  public boolean isInterrupted() {
    return phase == Phase.INTERRUPTED;
  }
}
