package gatebook.events.fault;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import gatebook.events.call.Gate;
import java.util.Optional;

/**
 * A fault: the reason why a caller gets no result.
 *
 * <p>One taxonomy serves all dialects: a meaning they share is one kind. Fields may hold what no
 * caller may see (rule patterns, policy ids, addresses, an upstream's messages); the translation to
 * an error response chooses what to show.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
public sealed interface Fault permits ClientFault, UpstreamFault, ServerFault {

  Category category();

  /** The level at which it is logged. */
  Severity severity();

  /** The gate that denied the call, when one did. */
  default Optional<Gate> gate() {
    return Optional.empty();
  }

  /** The stable name under which this kind is stored and counted. */
  default String kind() {
    return getClass().getSimpleName();
  }
}
