package gatebook.api.a2a;

import gatebook.api.dialect.A2aVersion;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The states of a task of A2A. */
public enum A2aTaskState {
  SUBMITTED,
  WORKING,
  INPUT_REQUIRED,
  AUTH_REQUIRED,
  COMPLETED,
  FAILED,
  CANCELED,
  REJECTED;

  /** The words of a version with their states. */
  static Map<String, A2aTaskState> words(A2aVersion version) {
    return Arrays.stream(values())
        .collect(Collectors.toUnmodifiableMap(state -> state.word(version), state -> state));
  }

  /** The word in messages of a version. */
  public String word(A2aVersion version) {
    return switch (version) {
      case V0_3 -> name().toLowerCase(Locale.ROOT).replace('_', '-');
      case V1_0 -> "TASK_STATE_" + name();
    };
  }

  /** Whether the task has ended: it takes no further state. */
  public boolean isTerminal() {
    return switch (this) {
      case COMPLETED, FAILED, CANCELED, REJECTED -> true;
      case SUBMITTED, WORKING, INPUT_REQUIRED, AUTH_REQUIRED -> false;
    };
  }

  /** Whether the task waits for its client. */
  public boolean isInterrupted() {
    return this == INPUT_REQUIRED || this == AUTH_REQUIRED;
  }
}
