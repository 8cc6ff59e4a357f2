package gatebook.query.terms;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.LongPredicate;

/**
 * Occurrences of terms, as bytes. They are sorted by term, and those of the same term from the
 * highest place to the lowest. None is there twice.
 */
final class Occurrences {
  private final int width;
  private final byte[] bytes;

  Occurrences(int termBytes, byte[] bytes) {
    this.width = termBytes + Long.BYTES;
    this.bytes = bytes;
  }

  /** An occurrence as bytes. */
  static byte[] occurrence(byte[] term, long place) {
    return ByteBuffer.allocate(term.length + Long.BYTES).put(term).putLong(~place).array();
  }

  /** An empty set for occurrences, in their order. */
  static SortedSet<byte[]> newSet() {
    return new TreeSet<>(Arrays::compareUnsigned);
  }

  static Occurrences of(int termBytes, SortedSet<byte[]> sorted) {
    ByteBuffer all = ByteBuffer.allocate(sorted.size() * (termBytes + Long.BYTES));
    sorted.forEach(all::put);
    return new Occurrences(termBytes, all.array());
  }

  /** Those that are in any of the collections, of which there is at least one. */
  static Occurrences union(Collection<Occurrences> some) {
    Deque<Occurrences> left = new ArrayDeque<>(some);
    while (left.size() > 1) {
      left.addLast(left.removeFirst().union(left.removeFirst()));
    }
    return left.getFirst();
  }

  private Occurrences union(Occurrences other) {
    byte[] both = new byte[bytes.length + other.bytes.length];
    int length = 0;
    int mine = 0;
    int others = 0;
    while (mine < bytes.length || others < other.bytes.length) {
      int order = order(mine, other, others);
      if (order <= 0) {
        System.arraycopy(bytes, mine, both, length, width);
      } else {
        System.arraycopy(other.bytes, others, both, length, width);
      }
      mine += order <= 0 ? width : 0;
      others += order >= 0 ? width : 0;
      length += width;
    }
    return withBytes(length == both.length ? both : Arrays.copyOf(both, length));
  }

  private int order(int mine, Occurrences other, int others) {
    if (mine == bytes.length) {
      return 1;
    }
    return others == other.bytes.length
        ? -1
        : Arrays.compareUnsigned(bytes, mine, mine + width, other.bytes, others, others + width);
  }

  /** Those at places up to this one. */
  Occurrences upTo(long place) {
    return without(it -> it > place);
  }

  /** Those at other places than these. */
  Occurrences without(LongPredicate places) {
    ByteBuffer some = ByteBuffer.allocate(bytes.length);
    for (int i = 0; i < count(); i++) {
      if (!places.test(place(i))) {
        some.put(bytes, i * width, width);
      }
    }
    return withBytes(Arrays.copyOf(some.array(), some.position()));
  }

  Occurrences part(int from, int to) {
    return withBytes(Arrays.copyOfRange(bytes, from * width, to * width));
  }

  /** The first one of each part, when they are divided into parts of this size. */
  Occurrences firstOfParts(int partSize) {
    ByteBuffer firsts = ByteBuffer.allocate(Math.ceilDiv(count(), partSize) * width);
    for (int i = 0; i < count(); i += partSize) {
      firsts.put(bytes, i * width, width);
    }
    return withBytes(firsts.array());
  }

  private Occurrences withBytes(byte[] others) {
    return new Occurrences(width - Long.BYTES, others);
  }

  int count() {
    return bytes.length / width;
  }

  /** The bytes as they are stored. */
  byte[] bytes() {
    return bytes;
  }

  /** The index of the first one that is not before this one; the count when all are before it. */
  int indexOf(byte[] occurrence) {
    int from = 0;
    int to = count();
    while (from < to) {
      int middle = (from + to) >>> 1;
      int begin = middle * width;
      if (Arrays.compareUnsigned(bytes, begin, begin + width, occurrence, 0, width) < 0) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  boolean isOf(byte[] term, int index) {
    int begin = index * width;
    return Arrays.equals(bytes, begin, begin + term.length, term, 0, term.length);
  }

  long place(int index) {
    return ~ByteBuffer.wrap(bytes).getLong((index + 1) * width - Long.BYTES);
  }

  /** The lowest place of all; there is at least one. */
  long lowestPlace() {
    long lowest = Long.MAX_VALUE;
    for (int i = 0; i < count(); i++) {
      lowest = Math.min(lowest, place(i));
    }
    return lowest;
  }

  /** The highest place of all; there is at least one. */
  long highestPlace() {
    long highest = Long.MIN_VALUE;
    for (int i = 0; i < count(); i++) {
      highest = Math.max(highest, place(i));
    }
    return highest;
  }
}
