package gatebook.query.proof;

import java.util.List;
import java.util.Optional;

/**
 * Proves the events at some positions. The result is a {@link InclusionProof}.
 *
 * @param note the signed checkpoint in whose tree they are proved; empty for the newest one
 */
public record ProveEvents(List<Long> positions, Optional<String> note) {
  public ProveEvents {
    positions = List.copyOf(positions);
  }

  /** Proves them in the tree of the newest checkpoint. */
  public ProveEvents(List<Long> positions) {
    this(positions, Optional.empty());
  }
}
