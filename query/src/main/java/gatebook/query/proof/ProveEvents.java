package gatebook.query.proof;

import java.util.List;

/** Proves the events at some positions. The result is a {@link InclusionProof}. */
public record ProveEvents(List<Long> positions) {
  public ProveEvents {
    positions = List.copyOf(positions);
  }
}
