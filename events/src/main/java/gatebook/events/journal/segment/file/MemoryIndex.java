package gatebook.events.journal.segment.file;

import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalSnapshot.IndexedTag;
import gatebook.events.journal.storage.StoredCheckpoint;
import gatebook.events.journal.storage.TagText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The index of a segment in memory, while the segment grows: one thread adds records, any thread
 * reads. A record is visible when {@link #add} has returned.
 */
public final class MemoryIndex implements SegmentIndex {
  private static final int SIZE = 256;

  private final long first;
  private final Map<String, TagLines> tags = new ConcurrentHashMap<>();
  private final Map<String, String> nodes = new ConcurrentHashMap<>();
  private final List<CheckpointPlace> checkpoints = new ArrayList<>();
  private volatile int[] offsets = new int[SIZE];
  private volatile Extent extent = new Extent(0, SegmentHeader.BYTES);
  private volatile String newestAt = "";

  /**
   * @param first the position of the segment's first event
   */
  public MemoryIndex(long first) {
    this.first = first;
  }

  /** The lines of one tag. */
  private static final class TagLines {
    private int[] bounds = new int[2];
    private int used;

    synchronized void add(int number) {
      if (used > 0 && continues(number)) {
        bounds[used - 1] = number;
        return;
      }
      if (used == bounds.length) {
        bounds = Arrays.copyOf(bounds, 2 * used);
      }
      bounds[used++] = number;
      bounds[used++] = number;
    }

    private boolean continues(int number) {
      return bounds[used - 1] == number - 1 && number - bounds[used - 2] < IndexedTag.EVENTS_MAX;
    }

    synchronized List<TagLine> lines() {
      List<TagLine> lines = new ArrayList<>(used / 2);
      for (int i = 0; i < used; i += 2) {
        lines.add(new TagLine(bounds[i], bounds[i + 1]));
      }
      return lines;
    }
  }

  public void add(BatchRecord record) {
    add(record.entries(), record.offsets(), record.checkpoint(), (int) record.at(), record.bytes());
  }

  /**
   * Adds a record.
   *
   * @param entryOffsets where the entries begin in the segment
   */
  public void add(
      List<Entry> entries,
      int[] entryOffsets,
      @Nullable StoredCheckpoint checkpoint,
      int recordAt,
      int recordBytes) {
    int next = extent.count();
    for (int i = 0; i < entries.size(); i++) {
      next = add(entries.get(i), entryOffsets[i]);
    }
    if (checkpoint != null) {
      synchronized (checkpoints) {
        checkpoints.add(
            new CheckpointPlace(checkpoint.number(), checkpoint.size(), recordAt, recordBytes));
      }
    }
    extent = new Extent(next, recordAt + recordBytes);
  }

  private int add(Entry entry, int offset) {
    int number = (int) (entry.position() - first);
    if (number >= offsets.length) {
      offsets = Arrays.copyOf(offsets, Math.max(number + 1, 2 * offsets.length));
    }
    if (entry.isDropped()) {
      return number + 1;
    }
    offsets[number] = offset;
    for (String tag : TagText.lines(entry.tags())) {
      tags.computeIfAbsent(tag, _ -> new TagLines()).add(number);
    }
    nodes.merge(entry.node(), entry.at(), (one, other) -> one.compareTo(other) < 0 ? other : one);
    if (entry.at().compareTo(newestAt) > 0) {
      newestAt = entry.at();
    }
    return number + 1;
  }

  /** The position of the first event of the segment. */
  long first() {
    return first;
  }

  @Override
  public Extent extent() {
    return extent;
  }

  @Override
  public int[] offsets(int from, int to) {
    Extent now = extent;
    int[] found = Arrays.copyOfRange(offsets, from, to + 1);
    if (to >= now.count()) {
      found[to - from] = now.end();
    }
    return found;
  }

  @Override
  public boolean mayContain(TagHash tag) {
    return tags.containsKey(tag.tag());
  }

  @Override
  public List<TagLine> lines(TagHash tag) {
    TagLines lines = tags.get(tag.tag());
    return lines == null ? List.of() : lines.lines();
  }

  /** All tags. */
  Iterable<String> tags() {
    return tags.keySet();
  }

  /** All lines, as a lookup of their tags finds them. */
  List<IndexedTag> linesFound() {
    List<IndexedTag> found = new ArrayList<>();
    tags.forEach((tag, tagLines) -> {
      for (TagLine line : tagLines.lines()) {
        found.add(new IndexedTag(tag, first + line.first(), first + line.last()));
      }
    });
    return found;
  }

  int tagCount() {
    return tags.size();
  }

  @Override
  public List<CheckpointPlace> checkpoints() {
    synchronized (checkpoints) {
      return List.copyOf(checkpoints);
    }
  }

  @Override
  public Map<String, String> nodes() {
    return Map.copyOf(nodes);
  }

  @Override
  public String newestAt() {
    return newestAt;
  }
}
