package gatebook.events.fault;

import gatebook.events.call.JsonValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One value that is not what was expected: where, why, and what would do. {@code received} is the
 * value or its type; it is left out where the value may be a secret.
 */
public record Problem(
    String param,
    @Nullable String reason,
    @Nullable String expected,
    @Nullable JsonValue received,
    List<String> accepted) {

  public Problem {
    accepted = List.copyOf(accepted);
  }
}
