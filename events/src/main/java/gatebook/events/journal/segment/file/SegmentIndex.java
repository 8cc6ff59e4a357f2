package gatebook.events.journal.segment.file;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * The index of a segment: where its entries are, which of them have a tag, and its checkpoints.
 * Entries are numbered from 0 in their segment.
 */
public sealed interface SegmentIndex permits MemoryIndex, StoredIndex {
  /** A place without an entry. */
  int MISSING = 0;

  /** Neighbouring entries with one tag, from the first number to the last. */
  record TagLine(int first, int last) {}

  /** The place of a checkpoint: the record that has it. */
  record CheckpointPlace(long number, long size, int recordAt, int recordBytes) {}

  /**
   * How far a segment reaches.
   *
   * @param count one more than the highest number of an entry
   * @param end where the records end
   */
  record Extent(int count, int end) {}

  Extent extent();

  /**
   * Where the entries from {@code from} to {@code to} - 1 begin, or {@link #MISSING}; after the
   * last of them, where the next one begins or the records end.
   */
  int[] offsets(int from, int to) throws IOException;

  /** False when no entry has this tag; true when some may have it. */
  boolean mayContain(TagHash tag) throws IOException;

  /** The entries with a tag, in ascending order. */
  List<TagLine> lines(TagHash tag) throws IOException;

  /** The checkpoints, in the order of their records. */
  List<CheckpointPlace> checkpoints();

  /** The nodes that wrote the entries, each with the time of its newest one. */
  Map<String, String> nodes();

  /** The newest time of an entry; empty when there is none. */
  String newestAt();
}
