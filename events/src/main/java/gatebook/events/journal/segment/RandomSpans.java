package gatebook.events.journal.segment;

import gatebook.events.journal.Entry;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** The random spans that each entry of a segment has: its id and its leaf. */
final class RandomSpans {
  private final SegmentScan scan;
  private final ArrayDeque<RandomSpan> found = new ArrayDeque<>();
  private boolean hasMore = true;

  RandomSpans(SegmentScan scan) {
    this.scan = scan;
  }

  /** Those that are whole between two places, which only ascend. */
  List<RandomSpan> between(long from, long to) throws IOException {
    while (hasMore && (found.isEmpty() || found.getLast().end() < to)) {
      BatchRecord record = scan.next();
      hasMore = record != null;
      if (record != null) {
        add(record);
      }
    }
    List<RandomSpan> spans = new ArrayList<>();
    while (!found.isEmpty() && found.getFirst().at() < to) {
      RandomSpan span = found.removeFirst();
      if (span.at() >= from && span.end() <= to) {
        spans.add(span);
      }
    }
    return spans;
  }

  private void add(BatchRecord record) {
    List<Entry> entries = record.entries();
    int[] offsets = record.offsets();
    for (int i = 0; i < entries.size(); i++) {
      if (entries.get(i).id().length() == RandomSpan.UUID_BYTES) {
        found.add(
            new RandomSpan(
                EntryFormat.idAt(offsets[i]), RandomSpan.UUID_BYTES, RandomSpan.Kind.UUID));
      }
      // where the last entry ends before a checkpoint is not known
      boolean isFollowed = i + 1 < entries.size();
      if (entries.get(i).leaf().length == RandomSpan.HASH_BYTES
          && (isFollowed || record.checkpoint() == null)) {
        long end = isFollowed ? offsets[i + 1] : record.end();
        found.add(
            new RandomSpan(
                end - RandomSpan.HASH_BYTES, RandomSpan.HASH_BYTES, RandomSpan.Kind.HASH));
      }
    }
  }
}
