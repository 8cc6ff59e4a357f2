package gatebook.events.journal.segment;

import gatebook.events.journal.segment.file.BatchRecord;
import gatebook.events.journal.segment.file.SegmentHeader;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.StoredCheckpoint;
import gatebook.events.journal.tree.LeafHasher;
import gatebook.events.journal.tree.RightEdge;
import gatebook.events.journal.tree.Sha256;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Folds the records of a segment to the right edge that is stored in it: the edge of its newest
 * checkpoint, or else of its header, and the stored leaves after that.
 */
final class EdgeFold {
  private RightEdge base;
  private final List<Entry> after = new ArrayList<>();

  EdgeFold(SegmentHeader header) {
    this.base = header.edge().copy();
  }

  void add(BatchRecord record) {
    after.addAll(record.entries());
    StoredCheckpoint checkpoint = record.checkpoint();
    if (checkpoint != null && checkpoint.size() >= record.next() - 1) {
      RightEdge.restored(checkpoint.size(), checkpoint.hashes())
          .ifPresent(edge -> {
            base = edge;
            after.clear();
          });
    }
  }

  RightEdge edge() {
    RightEdge edge = base.copy();
    LeafHasher hasher = new LeafHasher();
    for (Entry entry : after) {
      while (edge.size() < entry.position() - 1) {
        edge.append(hasher.missing(edge.size() + 1));
      }
      if (edge.size() == entry.position() - 1) {
        edge.append(Arrays.copyOf(entry.leaf(), Sha256.BYTES));
      }
    }
    return edge;
  }
}
