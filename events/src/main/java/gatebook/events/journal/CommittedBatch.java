package gatebook.events.journal;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The batch that one transaction added to the journal: events without a gap, a checkpoint, or both.
 */
public record CommittedBatch(List<Entry> entries, @Nullable StoredCheckpoint checkpoint) {
  public static final CommittedBatch NOTHING = new CommittedBatch(List.of(), null);

  public boolean isEmpty() {
    return entries.isEmpty() && checkpoint == null;
  }

  public CommittedBatch with(List<Entry> appended) {
    return new CommittedBatch(appended, checkpoint);
  }

  public CommittedBatch with(StoredCheckpoint signed) {
    return new CommittedBatch(entries, signed);
  }
}
