package gatebook.events.journal.tree;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A cache of the roots of complete subtrees of a growing tree, from which the path of any leaf is
 * computed with few leaves read: at most those of two of the smallest subtrees in the cache.
 *
 * <p>Its memory is bounded: when it has too many of the smallest subtrees, it drops them, and those
 * of twice the size are the smallest. A cache belongs to one thread at a time.
 */
public final class SubtreeCache {
  /** The smallest subtrees have 2^10 leaves at first. */
  private static final int LEVEL = 10;

  /** With the larger subtrees these are 8 MiB, and the smallest have 2^10 of 134 million leaves. */
  private static final int SMALLEST_MAX = 1 << 17;

  private final LeafReader leafReader;
  private final int smallestMax;

  /** The roots of the smallest subtrees first, then of those of twice the size, and so on. */
  private final List<HashList> levels = new ArrayList<>(List.of(new HashList()));

  private int smallestLevel;

  /** Reads leaves of the tree. */
  @FunctionalInterface
  public interface LeafReader {

    /** The leaves with an index from {@code from} to {@code to} - 1. */
    List<byte[]> read(long from, long to);
  }

  public SubtreeCache(LeafReader leafReader) {
    this(leafReader, LEVEL, SMALLEST_MAX);
  }

  SubtreeCache(LeafReader leafReader, int level, int smallestMax) {
    this.leafReader = leafReader;
    this.smallestLevel = level;
    this.smallestMax = smallestMax;
  }

  /** How many of the tree's first leaves are in complete subtrees of the cache. */
  public long covered() {
    return levels.getFirst().count() << smallestLevel;
  }

  /**
   * Reads leaves until every complete subtree of the first {@code size} leaves is in the cache, but
   * at least those of one, whatever the time. Returns false when the time was over before.
   *
   * @param untilNanos of {@link System#nanoTime}
   */
  public boolean cover(long size, long untilNanos) {
    while (isMissing(size)) {
      add(root(leafReader.read(covered(), covered() + (1L << smallestLevel))));
      if (System.nanoTime() - untilNanos >= 0) {
        return !isMissing(size);
      }
    }
    return true;
  }

  private boolean isMissing(long size) {
    return size - covered() >= 1L << smallestLevel;
  }

  /** Computes paths in the tree of the first {@code size} leaves, which are covered. */
  public PathsOfTree pathsIn(long size) {
    return new PathsOfTree(size);
  }

  /** The paths of leaves of one tree. It keeps the leaves that it reads. */
  public final class PathsOfTree {
    private final long size;
    private final Map<Long, List<byte[]>> leaves = new HashMap<>();

    private PathsOfTree(long size) {
      this.size = size;
    }

    public InclusionPath of(long index) {
      return InclusionPath.of(index, size, this::subtree);
    }

    public byte[] leaf(long index) {
      return leaves(index >> smallestLevel)
          .get((int) (index - (index >> smallestLevel << smallestLevel)));
    }

    private byte[] subtree(long first, int level) {
      if (level >= smallestLevel) {
        return levels.get(level - smallestLevel).get(first >> level);
      }
      long block = first >> smallestLevel;
      int from = (int) (first - (block << smallestLevel));
      return root(leaves(block).subList(from, from + (1 << level)));
    }

    private List<byte[]> leaves(long block) {
      long from = block << smallestLevel;
      return leaves.computeIfAbsent(
          block, _ -> leafReader.read(from, Math.min(size, from + (1L << smallestLevel))));
    }
  }

  private void add(byte[] root) {
    levels.getFirst().add(root);
    for (int level = 0; levels.get(level).count() % 2 == 0; level++) {
      if (level + 1 == levels.size()) {
        levels.add(new HashList());
      }
      HashList children = levels.get(level);
      levels
          .get(level + 1)
          .add(
              Sha256.ofNode(
                  children.get(children.count() - 2), children.get(children.count() - 1)));
    }
    if (levels.getFirst().count() > smallestMax) {
      levels.removeFirst();
      smallestLevel++;
    }
  }

  /** The root over as many leaves as a power of two. */
  private byte[] root(List<byte[]> leaves) {
    List<byte[]> level = leaves;
    while (level.size() > 1) {
      List<byte[]> parents = new ArrayList<>(level.size() / 2);
      for (int i = 0; i < level.size(); i += 2) {
        parents.add(Sha256.ofNode(level.get(i), level.get(i + 1)));
      }
      level = parents;
    }
    return level.getFirst();
  }

  /** A list of hashes in one array. */
  private static final class HashList {
    private byte[] bytes = new byte[Sha256.BYTES];
    private int count;

    long count() {
      return count;
    }

    void add(byte[] hash) {
      int at = count * Sha256.BYTES;
      if (at == bytes.length) {
        bytes = Arrays.copyOf(bytes, 2 * at);
      }
      System.arraycopy(hash, 0, bytes, at, Sha256.BYTES);
      count++;
    }

    byte[] get(long index) {
      int at = (int) index * Sha256.BYTES;
      return Arrays.copyOfRange(bytes, at, at + Sha256.BYTES);
    }
  }
}
