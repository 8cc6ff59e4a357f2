package gatebook.events.journal.tree;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The compact range of consecutive leaves of an RFC 6962 tree: the roots of the largest complete
 * subtrees that these leaves form, in order. It has few roots, however many leaves there are, and
 * grows a {@link RightEdge} that ends before it as its leaves would.
 *
 * <p>A range belongs to one thread. Callers must not change arrays passed in or out.
 */
public final class CompactRange {
  private final long begin;
  private final List<Subtree> subtrees = new ArrayList<>();
  private long end;

  /** The root of a complete subtree with 2^{@code level} leaves. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Subtree(int level, byte[] root) {}

  /**
   * A range without leaves.
   *
   * @param begin how many leaves of the tree are before it
   */
  public CompactRange(long begin) {
    this.begin = begin;
    this.end = begin;
  }

  /**
   * The range that {@link #roots} were taken from; empty when the number of roots, or the length of
   * one, does not fit a range from {@code begin} to {@code end}.
   */
  public static Optional<CompactRange> restored(long begin, long end, List<byte[]> roots) {
    if (begin < 0 || end < begin) {
      return Optional.empty();
    }
    CompactRange range = new CompactRange(begin);
    for (byte[] root : roots) {
      if (range.end == end || root.length != Sha256.BYTES) {
        return Optional.empty();
      }
      int level = largestLevel(range.end, end - range.end);
      range.subtrees.add(new Subtree(level, root));
      range.end += 1L << level;
    }
    return range.end == end ? Optional.of(range) : Optional.empty();
  }

  /** The level of the largest complete subtree that begins at a leaf and has at most so many. */
  private static int largestLevel(long at, long leaves) {
    int fitting = Long.SIZE - 1 - Long.numberOfLeadingZeros(leaves);
    return at == 0 ? fitting : Math.min(fitting, Long.numberOfTrailingZeros(at));
  }

  public void append(byte[] leaf) {
    byte[] root = leaf;
    int level = 0;
    end++;
    while (!subtrees.isEmpty() && subtrees.getLast().level() == level && end % (2L << level) == 0) {
      root = Sha256.ofNode(subtrees.removeLast().root(), root);
      level++;
    }
    subtrees.add(new Subtree(level, root));
  }

  /** How many leaves of the tree are before this range. */
  public long begin() {
    return begin;
  }

  /** How many leaves the tree has up to the last one of this range. */
  public long end() {
    return end;
  }

  /** The roots of its subtrees, from the first leaf to the last. */
  public List<byte[]> roots() {
    return subtrees.stream().map(Subtree::root).toList();
  }

  List<Subtree> subtrees() {
    return subtrees;
  }
}
