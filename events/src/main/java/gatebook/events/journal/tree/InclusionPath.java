package gatebook.events.journal.tree;

import java.util.ArrayList;
import java.util.List;

/**
 * The inclusion path of one leaf (RFC 9162, 2.1.3): the hashes that lead from the leaf to the root
 * of a tree, in this order. With the leaf, its index and the size of the tree, any reader can
 * compute the root.
 *
 * @param index of the leaf, counted from 0
 * @param size of the tree, in leaves
 */
public record InclusionPath(long index, long size, List<byte[]> hashes) {

  /** The roots of complete subtrees, as far as a path or a proof needs them. */
  @FunctionalInterface
  public interface SubtreeRoots {

    /**
     * The root over the 2^{@code level} leaves from {@code first} on, which is a multiple of their
     * number.
     */
    byte[] root(long first, int level);
  }

  public InclusionPath {
    if (index < 0 || index >= size) {
      throw new IllegalArgumentException(
          "a tree of %d leaves has no leaf %d".formatted(size, index));
    }
    hashes = List.copyOf(hashes);
  }

  /** The path of a leaf in the tree of the first {@code size} leaves. */
  public static InclusionPath of(long index, long size, SubtreeRoots subtreeRoots) {
    PathReader reader = new PathReader(subtreeRoots);
    if (index >= 0 && index < size) {
      reader.add(index, 0, size);
    }
    return new InclusionPath(index, size, reader.hashes);
  }

  /** The root that this path leads to from a leaf. */
  public byte[] rootFrom(byte[] leaf) {
    byte[] root = leaf;
    long node = index;
    long last = size - 1;
    for (byte[] hash : hashes) {
      if ((node & 1) == 1 || node == last) {
        root = Sha256.ofNode(hash, root);
        while ((node & 1) == 0 && node != 0) { // a node without a sibling is its own parent
          node >>= 1;
          last >>= 1;
        }
      } else {
        root = Sha256.ofNode(root, hash);
      }
      node >>= 1;
      last >>= 1;
    }
    return root.clone();
  }

  private static final class PathReader {
    private final RangeRoots roots;
    private final List<byte[]> hashes = new ArrayList<>();

    PathReader(SubtreeRoots subtreeRoots) {
      this.roots = new RangeRoots(subtreeRoots);
    }

    /** Adds the path of a leaf in the tree over the leaves {@code from} to {@code to} - 1. */
    void add(long index, long from, long to) {
      if (to - from == 1) {
        return;
      }
      long middle = RangeRoots.middle(from, to);
      if (index < middle) {
        add(index, from, middle);
        hashes.add(roots.of(middle, to));
      } else {
        add(index, middle, to);
        hashes.add(roots.of(from, middle));
      }
    }
  }
}
