package gatebook.api.dialect;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The state of a task of A2A, with its word in each version. */
public enum A2aTaskState {
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

  A2aTaskState(Phase phase) {
    this.phase = phase;
  }

  /** The state that a version has this word for; empty when there is none. */
  public static Optional<A2aTaskState> of(A2aVersion version, String word) {
    return Stream.of(values())
        .filter(state -> state.word(version).filter(word::equals).isPresent())
        .findFirst();
  }

  /** The words of a version with their states. */
  public static Map<String, A2aTaskState> words(A2aVersion version) {
    return Stream.of(values())
        .filter(state -> state.word(version).isPresent())
        .collect(
            Collectors.toUnmodifiableMap(state -> state.word(version).orElseThrow(), it -> it));
  }

  /** The word of a version for this state; empty when it has none. */
  public Optional<String> word(A2aVersion version) {
    return switch (version) {
      case V0_3 -> Optional.of(name().toLowerCase(Locale.ROOT).replace('_', '-'));
      case V1_0 -> this == UNKNOWN ? Optional.empty() : Optional.of("TASK_STATE_" + name());
    };
  }

  /** Whether the task has ended: it takes no further state. */
  public boolean isTerminal() {
    return phase == Phase.TERMINAL;
  }

  /** Whether the task waits for its client. */
  public boolean isInterrupted() {
    return phase == Phase.INTERRUPTED;
  }
}
