package gatebook.events.journal.segment.file;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * The memory for filters of tags: those of the newest segments, in a bounded number of bytes. The
 * filters of older segments are read from their files, one block for each lookup.
 */
public final class FilterMemory {
  /** Enough for the filters of some 13 million tags, about 40 million events. */
  private static final long BYTES_MAX = 16L << 20;

  private final ConcurrentSkipListMap<Long, byte[]> filters = new ConcurrentSkipListMap<>();
  private long bytes;

  /** The filter of an index; null when there is no room for it. */
  byte @Nullable [] filterOf(StoredIndex index) throws IOException {
    byte[] known = filters.get(index.first());
    if (known != null && known.length == index.filterBytes()) {
      return known;
    }
    return hasRoom(index) ? load(index) : null;
  }

  private synchronized boolean hasRoom(StoredIndex index) {
    return bytes + index.filterBytes() <= BYTES_MAX
        || (!filters.isEmpty() && filters.firstKey() < index.first());
  }

  private byte[] load(StoredIndex index) throws IOException {
    byte[] filter = index.readFilter();
    keep(index.first(), filter);
    return filter;
  }

  private synchronized void keep(long first, byte[] filter) {
    byte[] old = filters.put(first, filter);
    bytes += filter.length - (old == null ? 0 : old.length);
    while (bytes > BYTES_MAX && filters.size() > 1) {
      Map.Entry<Long, byte[]> oldest = filters.pollFirstEntry();
      bytes -= oldest.getValue().length;
    }
  }

  /** Drops the filter of an index that is made again. */
  synchronized void forget(long first) {
    byte[] old = filters.remove(first);
    bytes -= old == null ? 0 : old.length;
  }
}
