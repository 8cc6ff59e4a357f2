package gatebook.events.fault;

import gatebook.events.call.JsonValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A problem with one value that is not as expected: where, why, and what is accepted. {@code
 * received} is the value or its type; it is absent where the value may be a secret.
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
