package gatebook.events.journal;

import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.StoredCheckpoint;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The batch that one transaction added to the journal: events without a gap, a checkpoint, or both.
 */
public record CommittedBatch(List<Entry> entries, @Nullable StoredCheckpoint checkpoint) {
  public static final CommittedBatch NOTHING = new CommittedBatch(List.of(), null);

  public boolean isEmpty() {
    return entries.isEmpty() && checkpoint == null;
  }

  /** The position of the first event; without events, the one that the next event will have. */
  public long first() {
    return entries.isEmpty()
        ? Objects.requireNonNull(checkpoint, "an empty batch").size() + 1
        : entries.getFirst().position();
  }

  public CommittedBatch with(List<Entry> appended) {
    return new CommittedBatch(appended, checkpoint);
  }

  public CommittedBatch with(StoredCheckpoint signed) {
    return new CommittedBatch(entries, signed);
  }
}
