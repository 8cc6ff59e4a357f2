package gatebook.command.gate;

import java.util.Set;

/**
 * Somebody who answers calls.
 *
 * @param endpoint where, as events tell it: without user, query or fragment
 * @param timeoutMillis how long it may take
 * @param names what it answers for
 */
public record Source(
    String id, String endpoint, long timeoutMillis, Set<String> names, Expose expose) {
  public Source {
    names = Set.copyOf(names);
  }
}
