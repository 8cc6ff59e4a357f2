package gatebook.query.counts;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The tallies of the keys in one interval, as bytes in the order of the keys. */
final class KeyTallies {
  /**
   * An interval with more keys has no tallies: they would be as many as its rows, and each page
   * writes them anew.
   */
  static final int KEYS_MAX = 1_000;

  private static final int BYTES_PER_KEY = 5 * Long.BYTES;

  private KeyTallies() {}

  /** The bytes; absent when there are too many keys. */
  static byte @Nullable [] write(SortedMap<Long, Tally> tallies) {
    if (tallies.size() > KEYS_MAX) {
      return null;
    }
    ByteBuffer bytes = ByteBuffer.allocate(tallies.size() * BYTES_PER_KEY);
    tallies.forEach((key, tally) ->
        bytes
            .putLong(key)
            .putLong(tally.times())
            .putLong(tally.firstAt())
            .putLong(tally.lastAt())
            .putLong(tally.lastPlace()));
    return bytes.array();
  }

  /** The bytes of both; absent when there are too many keys. */
  static byte @Nullable [] sum(byte[] one, byte[] other) {
    if (one.length == 0 || other.length == 0) {
      return one.length == 0 ? other : one;
    }
    TreeMap<Long, Tally> byKey = new TreeMap<>();
    addTo(byKey, one);
    addTo(byKey, other);
    return write(byKey);
  }

  /** Adds the tallies that are in the bytes. */
  static void addTo(Map<Long, Tally> tallies, byte[] bytes) {
    ByteBuffer read = ByteBuffer.wrap(bytes);
    while (read.hasRemaining()) {
      long key = read.getLong();
      Tally tally = new Tally(read.getLong(), read.getLong(), read.getLong(), read.getLong());
      Tally _ = tallies.merge(key, tally, Tally::plus);
    }
  }
}
