package gatebook.events.fault;

import gatebook.events.call.JsonValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A problem with one value that is not as expected: where, why, and what is accepted. {@code
 * received} is the value or its type; it is absent where the value may be a secret.
 */
public record Problem(
    @FromCaller @LogField("param") String param,
    @FromCaller @Nullable String reason,
    @LogField("expected") @Nullable String expected,
    @FromCaller @Nullable JsonValue received,
    @NotLogged List<String> accepted) {

  public Problem {
    accepted = List.copyOf(accepted);
  }

  /** What is expected; the accepted values where nothing else is known. */
  public @Nullable String expectation() {
    return expected == null && !accepted.isEmpty()
        ? "one of " + String.join(", ", accepted)
        : expected;
  }

  /** The reason; what is expected where there is none. */
  String explanation() {
    if (reason != null) {
      return reason;
    }
    return expected == null
        ? param + " does not fit"
        : "%s: expected %s".formatted(param, expected);
  }
}
