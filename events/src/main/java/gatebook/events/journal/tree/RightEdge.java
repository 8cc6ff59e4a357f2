package gatebook.events.journal.tree;

import java.util.Arrays;
import java.util.Optional;

/**
 * The right edge of an RFC 6962 tree: the roots of its perfect subtrees, enough to append leaves
 * and to compute the root of all leaves so far.
 *
 * <p>An edge belongs to one thread. It never changes arrays passed in or out, and callers must not
 * change them.
 */
public final class RightEdge {
  private byte[][] subtrees;
  private int depth;
  private long size;

  /** The edge of a tree without leaves. */
  public RightEdge() {
    this(0, new byte[16][], 0);
  }

  private RightEdge(long size, byte[][] subtrees, int depth) {
    this.size = size;
    this.subtrees = subtrees;
    this.depth = depth;
  }

  /**
   * The edge that {@link #bytes} was taken from when it had this size; empty when the number of
   * bytes does not fit a tree of this size.
   */
  public static Optional<RightEdge> restored(long size, byte[] bytes) {
    if (size < 0 || bytes.length != bytesFor(size)) {
      return Optional.empty();
    }
    int depth = Long.bitCount(size);
    byte[][] subtrees = new byte[Math.max(16, depth)][];
    for (int i = 0; i < depth; i++) {
      subtrees[i] = Arrays.copyOfRange(bytes, i * Sha256.BYTES, (i + 1) * Sha256.BYTES);
    }
    return Optional.of(new RightEdge(size, subtrees, depth));
  }

  private static int bytesFor(long size) {
    return Long.bitCount(size) * Sha256.BYTES;
  }

  /** An independent copy of this edge. */
  public RightEdge copy() {
    return new RightEdge(size, subtrees.clone(), depth);
  }

  public void append(byte[] leaf) {
    append(leaf, 0);
  }

  /** Appends all leaves of a range, which begins where this tree ends. */
  public void append(CompactRange range) {
    if (range.begin() != size) {
      throw new IllegalArgumentException(
          "leaves after %d do not follow %d".formatted(range.begin(), size));
    }
    range.subtrees().forEach(subtree -> append(subtree.root(), subtree.level()));
  }

  /** Appends the root of a complete subtree with 2^level leaves, whose place it is. */
  private void append(byte[] root, int level) {
    byte[] subtree = root;
    for (long bit = size >> level; (bit & 1) == 1; bit >>= 1) {
      subtree = Sha256.ofNode(subtrees[--depth], subtree);
    }
    if (depth == subtrees.length) {
      subtrees = Arrays.copyOf(subtrees, 2 * depth);
    }
    subtrees[depth++] = subtree;
    size += 1L << level;
  }

  public long size() {
    return size;
  }

  /** The root over all leaves so far; without leaves, the SHA-256 of nothing. */
  public byte[] root() {
    if (depth == 0) {
      return Sha256.of(new byte[0]);
    }
    byte[] root = subtrees[depth - 1];
    for (int i = depth - 2; i >= 0; i--) {
      root = Sha256.ofNode(subtrees[i], root);
    }
    return root.clone();
  }

  /** The root over the 2^{@code level} leaves from {@code first} on, if it is one of this edge. */
  Optional<byte[]> subtree(long first, int level) {
    long before = size >> level;
    return (before & 1) == 1 && (before - 1) << level == first
        ? Optional.of(subtrees[Long.bitCount(before) - 1])
        : Optional.empty();
  }

  /**
   * The roots of the subtrees from the largest to the smallest, 32 bytes each, without the size.
   */
  public byte[] bytes() {
    byte[] bytes = new byte[depth * Sha256.BYTES];
    for (int i = 0; i < depth; i++) {
      System.arraycopy(subtrees[i], 0, bytes, i * Sha256.BYTES, Sha256.BYTES);
    }
    return bytes;
  }
}
