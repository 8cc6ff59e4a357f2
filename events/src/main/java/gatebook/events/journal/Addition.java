package gatebook.events.journal;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one transaction added to the journal: events without a gap, a checkpoint, or both. */
record Addition(List<Entry> entries, @Nullable StoredCheckpoint checkpoint) {
  static final Addition NOTHING = new Addition(List.of(), null);

  boolean isEmpty() {
    return entries.isEmpty() && checkpoint == null;
  }

  Addition with(List<Entry> appended) {
    return new Addition(appended, checkpoint);
  }

  Addition with(StoredCheckpoint signed) {
    return new Addition(entries, signed);
  }
}
