package gatebook.events.kept;

import gatebook.events.ApprovalRequested;
import gatebook.events.CallAdmitted;
import gatebook.events.CallReceived;
import gatebook.events.Event;
import gatebook.events.GateDenied;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The activations of rules in a range of events that stay: those in force at its end, on each node,
 * and those by which calls that stay were decided.
 */
final class KeptRules {
  /** The positions at which rules were activated, by their hash. */
  private final Map<String, TreeSet<Long>> activations = new HashMap<>();

  /** The newest activation of each node. */
  private final Map<String, Long> newest = new HashMap<>();

  private final Set<Long> kept = new HashSet<>();

  /** Adds an activation. */
  void add(String rulesHash, String node, long position) {
    activations.computeIfAbsent(rulesHash, _ -> new TreeSet<>()).add(position);
    newest.put(node, position);
  }

  /** Keeps the rules that an event at a position names. */
  void keepFor(Event event, long position) {
    hash(event)
        .map(activations::get)
        .map(positions -> positions.lower(position))
        .ifPresent(kept::add);
  }

  /** The rules that an event names, which are those that decided. */
  private static Optional<String> hash(Event event) {
    return switch (event) {
      case CallReceived received -> Optional.of(received.rulesHash());
      case CallAdmitted admitted -> Optional.of(admitted.rulesHash());
      case GateDenied denied -> Optional.of(denied.rulesHash());
      case ApprovalRequested requested -> Optional.of(requested.rulesHash());
      default -> Optional.empty();
    };
  }

  /** The positions of the activations that stay. */
  Set<Long> positions() {
    Set<Long> positions = new HashSet<>(kept);
    positions.addAll(newest.values());
    return positions;
  }
}
