package gatebook.events.journal.segment.file;

import gatebook.events.journal.storage.DroppedThrough;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.EntrySelection;
import gatebook.events.journal.storage.StoredCheckpoint;
import gatebook.events.journal.tree.LeafHasher;
import gatebook.events.journal.tree.RightEdge;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.axonframework.messaging.eventstreaming.Tag;

/**
 * All segments of a journal, by ascending position. The list never changes: sealing makes a new
 * one.
 */
public record Segments(List<Segment> all) {
  private static final int TAGGED_MAX = 100;

  public static final Segments NONE = new Segments(List.of());

  /** These segments, and a new one that is written from now on. */
  public Segments with(Segment next) {
    List<Segment> more = new ArrayList<>(all);
    more.add(next);
    return new Segments(List.copyOf(more));
  }

  /** The position of the last event; 0 when there is none. */
  public long last() throws IOException {
    for (Segment segment : all.reversed()) {
      if (segment.index().extent().count() > 0) {
        return segment.last();
      }
    }
    return 0;
  }

  public List<Entry> read(EntrySelection entrySelection, long after, long upTo, int limit)
      throws IOException {
    List<Entry> entries = new ArrayList<>();
    long last = Math.min(upTo, last());
    if (after >= last) {
      return entries; // also where a position is so high that the next one has no number
    }
    switch (entrySelection) {
      case EntrySelection.Everything _ -> readRange(Math.max(after, 0), last, limit, entries);
      case EntrySelection.Tagged(Set<String> tags) ->
          readAt(positions(tags, after, last, limit), entries);
    }
    return entries;
  }

  /** The first events with a tag. */
  public List<Entry> readTagged(Tag tag) throws IOException {
    return read(EntrySelection.of(EventCriteria.havingTags(tag)), 0, Long.MAX_VALUE, TAGGED_MAX);
  }

  private void readRange(long after, long upTo, int limit, List<Entry> into) throws IOException {
    for (int i = indexOf(after + 1); i < all.size() && into.size() < limit; i++) {
      Segment segment = all.get(i);
      if (segment.first() > upTo) {
        return;
      }
      segment.read(
          Math.max(after + 1, segment.first()),
          upTo,
          entry -> {
            into.add(entry);
            return into.size() >= limit;
          });
    }
  }

  private void readAt(List<Long> positions, List<Entry> into) throws IOException {
    int i = 0;
    while (i < positions.size()) {
      long from = positions.get(i);
      int next = i + 1;
      while (next < positions.size() && positions.get(next) == positions.get(next - 1) + 1) {
        next++;
      }
      readRange(from - 1, positions.get(next - 1), Integer.MAX_VALUE, into);
      i = next;
    }
  }

  /** The positions of the first events with any of the tags. */
  private List<Long> positions(Set<String> tags, long after, long upTo, int limit)
      throws IOException {
    List<TagHash> hashes = tags.stream().map(TagHash::of).toList();
    SortedSet<Long> positions = new TreeSet<>();
    for (Segment segment : withAny(hashes, after, upTo).reversed()) {
      if (positions.size() >= limit) {
        break;
      }
      for (TagHash tag : hashes) {
        segment.addPositions(tag, after, upTo, limit, positions);
      }
    }
    return positions.stream().limit(limit).toList();
  }

  /** The segments that may have events with any of the tags, the newest first. */
  private List<Segment> withAny(List<TagHash> tags, long after, long upTo) throws IOException {
    List<Segment> found = new ArrayList<>();
    int oldest = indexOf(after + 1);
    for (int i = all.size() - 1; i >= oldest; i--) {
      Segment segment = all.get(i);
      if (segment.first() <= upTo && mayContainAny(segment, tags)) {
        found.add(segment);
      }
    }
    return found;
  }

  private static boolean mayContainAny(Segment segment, List<TagHash> tags) throws IOException {
    for (TagHash tag : tags) {
      if (segment.mayContain(tag)) {
        return true;
      }
    }
    return false;
  }

  /** The end of the segments with dropped events; empty when there are none. */
  public Optional<DroppedThrough> droppedThrough() throws IOException {
    int count = droppedCount();
    if (count == 0) {
      return Optional.empty();
    }
    long last = count < all.size() ? all.get(count).first() - 1 : last();
    return all.get(count - 1)
        .dropped()
        .map(it -> new DroppedThrough(last, Instant.parse(it.newestAt())));
  }

  /** How many of the oldest segments have dropped events. */
  public int droppedCount() throws IOException {
    int low = 0;
    int high = all.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (all.get(middle).dropped().isPresent()) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The position of the first event in the segment with a position; 0 without segments. */
  public long firstOf(long position) {
    return all.isEmpty() ? 0 : all.get(indexOf(position)).first();
  }

  /** The index of the segment with a position, or of the first one. */
  private int indexOf(long position) {
    int low = 0;
    int high = all.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (all.get(middle).first() <= position) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  public List<byte[]> leaves(long after, long upTo) throws IOException {
    List<byte[]> leaves = new ArrayList<>();
    long last = Math.min(upTo, last());
    for (int i = after >= last ? all.size() : indexOf(after + 1); i < all.size(); i++) {
      Segment segment = all.get(i);
      if (segment.first() <= last) {
        segment.addLeaves(
            after,
            Math.max(after + 1, segment.first()),
            Math.min(last, i + 1 < all.size() ? all.get(i + 1).first() - 1 : last),
            leaves);
      }
    }
    new LeafHasher().addMissing(leaves, after, upTo);
    return leaves;
  }

  public Optional<Long> firstAt(String at) throws IOException {
    for (Segment segment : all) {
      if (segment.index().newestAt().compareTo(at) >= 0) {
        List<Long> found = new ArrayList<>(1);
        segment.read(
            segment.first(),
            segment.last(),
            entry -> {
              if (entry.at().compareTo(at) >= 0) {
                found.add(entry.position());
              }
              return !found.isEmpty();
            });
        if (!found.isEmpty()) {
          return Optional.of(found.getFirst());
        }
      }
    }
    return Optional.empty();
  }

  public SequencedMap<String, String> nodesAfter(long after, int limit) throws IOException {
    Map<String, String> newest = new HashMap<>();
    for (int i = indexOf(after + 1); i < all.size(); i++) {
      Segment segment = all.get(i);
      if (segment.first() > after) {
        segment.index().nodes().forEach((node, at) -> newest.merge(node, at, Segments::later));
      } else {
        segment.read(
            after + 1,
            segment.last(),
            entry -> {
              newest.merge(entry.node(), entry.at(), Segments::later);
              return false;
            });
      }
    }
    return newestFirst(newest, limit);
  }

  /** Some nodes with the time of the newest event of each, the newest first. */
  public static SequencedMap<String, String> newestFirst(Map<String, String> newest, int limit) {
    SequencedMap<String, String> nodes = new LinkedHashMap<>();
    newest.entrySet().stream()
        .sorted(
            Comparator.comparing(Map.Entry<String, String>::getValue)
                .reversed()
                .thenComparing(Map.Entry::getKey))
        .limit(limit)
        .forEach(node -> nodes.put(node.getKey(), node.getValue()));
    return nodes;
  }

  private static String later(String one, String other) {
    return one.compareTo(other) < 0 ? other : one;
  }

  /** All checkpoints, by ascending number. */
  public List<StoredCheckpoint> checkpoints() throws IOException {
    List<StoredCheckpoint> checkpoints = new ArrayList<>();
    for (Segment segment : all) {
      for (SegmentIndex.CheckpointPlace place : segment.index().checkpoints()) {
        segment.checkpointAt(place).ifPresent(checkpoints::add);
      }
    }
    return checkpoints;
  }

  public Optional<StoredCheckpoint> newestCheckpoint() throws IOException {
    for (Segment segment : all.reversed()) {
      Optional<StoredCheckpoint> found = segment.newestCheckpoint(_ -> true);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  /**
   * The newest checkpoint over the first {@code size} events. It is in the segment of the next
   * event, or in the one before.
   */
  public Optional<StoredCheckpoint> checkpointOver(long size) throws IOException {
    int latest = indexOf(size + 1);
    for (int i = latest; i >= Math.max(0, latest - 1) && i < all.size(); i--) {
      Optional<StoredCheckpoint> found = all.get(i).newestCheckpoint(it -> it.size() == size);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  /**
   * The right edge of the newest checkpoint over at most {@code size} events, or of the segment
   * after them, whichever has more.
   */
  public RightEdge storedEdge(long size) throws IOException {
    for (int i = Math.min(indexOf(size + 1), all.size() - 1); i >= 0; i--) {
      Segment segment = all.get(i);
      Optional<RightEdge> edge =
          segment
              .newestCheckpoint(it -> it.size() <= size)
              .flatMap(it -> RightEdge.restored(it.size(), it.hashes()));
      if (edge.isPresent()) {
        return edge.get();
      }
      if (segment.header().edge().size() <= size) {
        return segment.header().edge().copy();
      }
    }
    return new RightEdge();
  }
}
