package gatebook.events.journal.segment.file;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A cache of the texts of compressed blocks, those that were used last, in a bounded number of
 * bytes. No block is inflated while its lock is held.
 */
final class BlockCache {
  /** Neighbouring reads share a block; so many readers can be at as many places. */
  private static final long BYTES_MAX = 8L << 20;

  private static final float LOAD = 0.75f;
  private static final int INITIAL = 64;

  /** The key of a block. */
  private record Key(long first, int block) {}

  private final Map<Key, byte[]> texts = new LinkedHashMap<>(INITIAL, LOAD, true);
  private long bytes;

  synchronized byte @Nullable [] get(long first, int block) {
    return texts.get(new Key(first, block));
  }

  synchronized void put(long first, int block, byte[] text) {
    byte[] old = texts.put(new Key(first, block), text);
    bytes += text.length - (old == null ? 0 : old.length);
    Iterator<byte[]> oldest = texts.values().iterator();
    while (bytes > BYTES_MAX && texts.size() > 1) {
      bytes -= oldest.next().length;
      oldest.remove();
    }
  }

  /** Drops the blocks of a segment. */
  synchronized void forget(long first) {
    texts
        .entrySet()
        .removeIf(entry -> {
          boolean drops = entry.getKey().first() == first;
          bytes -= drops ? entry.getValue().length : 0;
          return drops;
        });
  }
}
