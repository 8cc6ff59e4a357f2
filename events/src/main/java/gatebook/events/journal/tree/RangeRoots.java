package gatebook.events.journal.tree;

/** The roots of the trees over ranges of leaves (RFC 9162, 2.1.1), from complete subtrees. */
final class RangeRoots {
  private final InclusionPath.SubtreeRoots subtreeRoots;

  RangeRoots(InclusionPath.SubtreeRoots subtreeRoots) {
    this.subtreeRoots = subtreeRoots;
  }

  /**
   * The root over the leaves {@code from} to {@code to} - 1, of which there is at least one. Where
   * their number is a power of two, {@code from} is a multiple of it.
   */
  byte[] of(long from, long to) {
    long leaves = to - from;
    if (Long.bitCount(leaves) == 1) {
      return subtreeRoots.root(from, Long.numberOfTrailingZeros(leaves));
    }
    long middle = middle(from, to);
    return Sha256.ofNode(of(from, middle), of(middle, to));
  }

  /** Where the tree over at least two leaves is divided: its left half is a complete subtree. */
  static long middle(long from, long to) {
    return from + Long.highestOneBit(to - from - 1);
  }
}
