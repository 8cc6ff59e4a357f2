package gatebook.events.journal.tree;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A consistency proof (RFC 9162, 2.1.4): the hashes from which any reader can compute the roots of
 * two sizes of one tree, and so sees that the larger has the leaves of the smaller.
 *
 * @param first the size of the smaller tree, in leaves
 * @param second the size of the larger tree
 */
public record ConsistencyProof(long first, long second, List<byte[]> hashes) {

  public ConsistencyProof {
    hashes = List.copyOf(hashes);
  }

  /** The proof that a tree of {@code second} leaves goes on from its first {@code first} leaves. */
  public static ConsistencyProof of(
      long first, long second, InclusionPath.SubtreeRoots subtreeRoots) {
    if (first < 0 || first > second) {
      throw new IllegalArgumentException(
          "a tree of %d leaves does not go on from %d".formatted(second, first));
    }
    List<byte[]> hashes = new ArrayList<>();
    if (first > 0) {
      add(first, 0, second, new RangeRoots(subtreeRoots), hashes);
    }
    return new ConsistencyProof(first, second, hashes);
  }

  /** Adds the hashes that divide the leaves {@code from} to {@code to} - 1 at {@code first}. */
  private static void add(long first, long from, long to, RangeRoots roots, List<byte[]> hashes) {
    if (first == to) {
      if (from > 0) { // the root of the smaller tree is known to who checks the proof
        hashes.add(roots.of(from, to));
      }
      return;
    }
    long middle = RangeRoots.middle(from, to);
    if (first <= middle) {
      add(first, from, middle, roots, hashes);
      hashes.add(roots.of(middle, to));
    } else {
      add(first, middle, to, roots, hashes);
      hashes.add(roots.of(from, middle));
    }
  }

  /** The root of a tree without leaves. */
  public static byte[] emptyRoot() {
    return Sha256.of(new byte[0]);
  }

  /** Whether it proves that the tree with the first root is the beginning of the other. */
  public boolean proves(byte[] firstRoot, byte[] secondRoot) {
    if (first < 0 || first > second) {
      return false;
    }
    if (first == second || first == 0) {
      return hashes.isEmpty()
          && (first < second || Arrays.equals(firstRoot, secondRoot))
          && (first > 0 || Arrays.equals(firstRoot, emptyRoot()));
    }
    return !hashes.isEmpty() && provesGrowth(firstRoot, secondRoot);
  }

  private boolean provesGrowth(byte[] firstRoot, byte[] secondRoot) {
    List<byte[]> path = new ArrayList<>(hashes);
    if (Long.bitCount(first) == 1) {
      path.addFirst(firstRoot);
    }
    int shift = Long.numberOfTrailingZeros(~(first - 1));
    long node = (first - 1) >> shift;
    long last = (second - 1) >> shift;
    byte[] smaller = path.getFirst();
    byte[] larger = path.getFirst();
    for (byte[] hash : path.subList(1, path.size())) {
      if (last == 0) {
        return false;
      }
      if ((node & 1) == 1 || node == last) {
        smaller = Sha256.ofNode(hash, smaller);
        larger = Sha256.ofNode(hash, larger);
        while ((node & 1) == 0 && node != 0) { // a node without a sibling is its own parent
          node >>= 1;
          last >>= 1;
        }
      } else {
        larger = Sha256.ofNode(larger, hash);
      }
      node >>= 1;
      last >>= 1;
    }
    return last == 0 && Arrays.equals(smaller, firstRoot) && Arrays.equals(larger, secondRoot);
  }
}
