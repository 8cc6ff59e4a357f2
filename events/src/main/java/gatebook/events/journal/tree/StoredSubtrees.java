package gatebook.events.journal.tree;

import java.util.Optional;

/**
 * The roots of complete subtrees of a tree whose right edges were stored as it grew. Where edges
 * are near each other, a root takes reads in the logarithm of its leaves; elsewhere the leaves are
 * read.
 */
public final class StoredSubtrees implements InclusionPath.SubtreeRoots {
  /** The leaves of subtrees with at most 2^10 of them are read at once. */
  private static final int LEVEL = 10;

  private final long size;
  private final Edges edges;
  private final SubtreeCache.LeafReader leafReader;

  /** The stored right edges of a tree. */
  @FunctionalInterface
  public interface Edges {

    /** The largest one over at most so many first leaves; that of no leaf where none is stored. */
    RightEdge atMost(long size);
  }

  /**
   * @param size of the tree; edges of a larger one are not used
   */
  public StoredSubtrees(long size, Edges edges, SubtreeCache.LeafReader leafReader) {
    this.size = size;
    this.edges = edges;
    this.leafReader = leafReader;
  }

  @Override
  public byte[] root(long first, int level) {
    return stored(first, level)
        .orElseGet(() -> level <= LEVEL ? read(first, level) : node(first, level));
  }

  /** A subtree is in the edges from its last leaf on until its sibling is complete too. */
  private Optional<byte[]> stored(long first, int level) {
    boolean isLeft = (first >> level & 1) == 0;
    return isLeft
        ? edges.atMost(Math.min(size, first + (2L << level) - 1)).subtree(first, level)
        : Optional.empty();
  }

  private byte[] read(long first, int level) {
    CompactRange range = new CompactRange(first);
    leafReader.read(first, first + (1L << level)).forEach(range::append);
    return range.roots().getFirst();
  }

  private byte[] node(long first, int level) {
    byte[] left = root(first, level - 1);
    return Sha256.ofNode(left, root(first + (1L << (level - 1)), level - 1));
  }
}
