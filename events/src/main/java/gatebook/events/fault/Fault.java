package gatebook.events.fault;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import gatebook.events.call.Gate;
import java.util.Optional;

/**
 * A fault: the reason why a caller gets no result.
 *
 * <p>One taxonomy serves all dialects: a meaning they share is one kind. Its record declares all
 * that is true in every dialect: category, severity and gate, what callers may be shown, what is
 * logged ({@link LogField}), and what callers chose ({@link FromCaller}); a component with texts
 * that is neither says so ({@link NotLogged}). Components may hold what no caller may see: rule
 * patterns, policy ids, addresses, an upstream's messages.
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

  /** What callers may be shown of it, before a dialect gives it a code. */
  PublicFault shown();

  /** The stable name under which this kind is stored and counted. */
  default String kind() {
    return getClass().getSimpleName();
  }

  /** What its log line says: the kind in words, such as {@code Tool not exposed}. */
  default String logMessage() {
    return FaultComponents.kindInWords(this);
  }
}
