package gatebook.events;

import gatebook.events.call.Bytes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An operator accepted the mismatch between the journal's rows and its newest checkpoint. {@code
 * checkpoint} is the note that disagreed; size and root are those of the tree over the rows as they
 * are. {@code lost} are the events that are gone and were not accepted before, absent where none
 * are.
 */
@Named(name = "MismatchAccepted", version = "1")
public record MismatchAccepted(
    String operator,
    String reason,
    String checkpoint,
    long treeSize,
    Bytes rootHash,
    @Nullable List<Lost> lost)
    implements Event {

  public MismatchAccepted {
    lost = lost == null ? null : List.copyOf(lost);
  }

  /** The events from one position to another. */
  public record Lost(long from, long to) {}
}
