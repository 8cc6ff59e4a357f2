package gatebook.events.journal.h2;

import gatebook.events.journal.CommittedBatch;
import gatebook.events.journal.Entry;
import gatebook.events.journal.StoredCheckpoint;
import java.util.ArrayList;
import java.util.List;

/**
 * The batches of the write-ahead log that are missing in the database, with their events and
 * checkpoints.
 *
 * @param complete false when the log has events that neither the database nor the batches before
 *     them lead to: the database is an older copy, or another one
 */
record MissingBatches(List<Entry> entries, List<StoredCheckpoint> checkpoints, boolean complete) {
  static final MissingBatches NONE = new MissingBatches(List.of(), List.of(), true);

  /**
   * @param size of the database's right edge
   * @param checkpoint the number of its newest one
   */
  static MissingBatches of(List<CommittedBatch> batches, long size, long checkpoint) {
    List<Entry> entries = new ArrayList<>();
    List<StoredCheckpoint> checkpoints = new ArrayList<>();
    Held held = new Held(size, checkpoint);
    for (CommittedBatch batch : batches) {
      if (held.isFollowedBy(batch)) {
        entries.addAll(batch.entries());
        if (batch.checkpoint() != null) {
          checkpoints.add(batch.checkpoint());
        }
        held = held.with(batch);
      }
    }
    return new MissingBatches(entries, checkpoints, batches.stream().noneMatch(held::lacks));
  }

  /** How far the database and the batches after it reach. */
  private record Held(long position, long checkpoint) {
    boolean isFollowedBy(CommittedBatch batch) {
      return batch.entries().isEmpty()
          ? batch.checkpoint() != null
              && batch.checkpoint().number() == checkpoint + 1
              && batch.checkpoint().size() == position
          : batch.entries().getFirst().position() == position + 1;
    }

    boolean lacks(CommittedBatch batch) {
      return !batch.entries().isEmpty() && batch.entries().getLast().position() > position;
    }

    Held with(CommittedBatch batch) {
      return new Held(
          position + batch.entries().size(),
          batch.checkpoint() == null ? checkpoint : batch.checkpoint().number());
    }
  }
}
