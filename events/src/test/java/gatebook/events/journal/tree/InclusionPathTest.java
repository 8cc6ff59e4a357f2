package gatebook.events.journal.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gatebook.events.Proof;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InclusionPathTest {
  private static final HexFormat HEX = HexFormat.of();
  private static final long NANOS_MAX = TimeUnit.MINUTES.toNanos(5);

  /** The inputs and paths published with Certificate Transparency's reference implementation. */
  private static final List<String> PUBLISHED_INPUTS =
      List.of(
          "",
          "00",
          "10",
          "2021",
          "3031",
          "40414243",
          "5051525354555657",
          "606162636465666768696a6b6c6d6e6f");

  @ParameterizedTest
  @CsvSource({
    "0, 1, ''",
    """
    0, 8, 96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7 \
    5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e \
    6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4\
    """,
    """
    5, 8, bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b \
    ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0 \
    d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7\
    """,
    "2, 3, fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    """
    1, 5, 6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d \
    5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e \
    bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b\
    """
  })
  void thePathsMatchThePublishedPaths(int index, int size, String path) {
    List<byte[]> leaves =
        PUBLISHED_INPUTS.stream()
            .map(input -> HEX.parseHex(InclusionVerifier.leaf(HEX.parseHex(input))))
            .toList();

    assertThat(path(leaves, index, size).hashes().stream().map(HEX::formatHex))
        .containsExactlyElementsOf(path.isEmpty() ? List.of() : List.of(path.split(" ")));
  }

  @Test
  void everyPathLeadsToTheRootAtEverySize() {
    List<byte[]> leaves = leaves(new SplittableRandom(9162), 130);

    RightEdge edge = new RightEdge();
    for (int size = 1; size <= leaves.size(); size++) {
      edge.append(leaves.get(size - 1));
      SubtreeCache.PathsOfTree paths = paths(leaves, size);
      byte[] root = edge.root();
      for (int index = 0; index < size; index++) {
        assertVerifies("%d of %d".formatted(index, size), paths.of(index), leaves, root);
      }
    }
  }

  @Test
  void pathsFromAGrowingCacheLeadToTheRoots() {
    long seed = Proof.seed();
    SplittableRandom random = new SplittableRandom(seed);
    List<byte[]> leaves = leaves(random, 5_000);

    for (int round = 0; round < 20; round++) {
      SubtreeCache cache = cache(leaves, random.nextInt(8), 1 + random.nextInt(50));
      RightEdge edge = new RightEdge();
      while (edge.size() < leaves.size()) {
        int size = Math.min(leaves.size(), (int) edge.size() + 1 + random.nextInt(1_000));
        leaves.subList((int) edge.size(), size).forEach(edge::append);
        assertThat(cache.cover(size, System.nanoTime() + NANOS_MAX)).isTrue();
        SubtreeCache.PathsOfTree paths = cache.pathsIn(size);
        byte[] root = edge.root();
        for (int i = 0; i < 10; i++) {
          int index = random.nextInt(size);
          assertThat(paths.leaf(index)).as("seed %d", seed).isEqualTo(leaves.get(index));
          assertVerifies("seed " + seed, paths.of(index), leaves, root);
        }
      }
    }
  }

  @Test
  void aCacheReadsEachLeafOnce() {
    List<byte[]> leaves = leaves(new SplittableRandom(1), 1_000);
    AtomicInteger read = new AtomicInteger();
    SubtreeCache cache =
        new SubtreeCache(
            (from, to) -> {
              read.addAndGet((int) (to - from));
              return leaves.subList((int) from, (int) to);
            },
            4,
            100);

    assertThat(cache.cover(1_000, System.nanoTime() + NANOS_MAX)).isTrue();
    assertThat(cache.cover(1_000, System.nanoTime() + NANOS_MAX)).isTrue();
    assertThat(read.getAndSet(0)).isEqualTo(1_000 / 16 * 16);

    assertVerifies("", cache.pathsIn(1_000).of(500), leaves, root(leaves, 1_000));
    assertThat(read.get()).isEqualTo(16 + 1_000 % 16);
  }

  @Test
  void aCacheWithoutTimeReadsOneSubtree() {
    List<byte[]> leaves = leaves(new SplittableRandom(1), 100);
    SubtreeCache cache = cache(leaves, 2, 100);

    assertThat(cache.cover(100, System.nanoTime())).isFalse();
    assertThat(cache.covered()).isEqualTo(4);
  }

  @Test
  void aTreeHasNoPathOfALeafBeyondIt() {
    List<byte[]> leaves = leaves(new SplittableRandom(1), 10);

    assertThatThrownBy(() -> path(leaves, 10, 10))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a tree of 10 leaves has no leaf 10");
  }

  private static InclusionPath path(List<byte[]> leaves, int index, int size) {
    return paths(leaves, size).of(index);
  }

  private static SubtreeCache.PathsOfTree paths(List<byte[]> leaves, int size) {
    SubtreeCache cache = cache(leaves, 3, 100);
    assertThat(cache.cover(size, System.nanoTime() + NANOS_MAX)).isTrue();
    return cache.pathsIn(size);
  }

  private static SubtreeCache cache(List<byte[]> leaves, int level, int smallestMax) {
    return new SubtreeCache((from, to) -> leaves.subList((int) from, (int) to), level, smallestMax);
  }

  private static void assertVerifies(
      String description, InclusionPath path, List<byte[]> leaves, byte[] root) {
    byte[] leaf = leaves.get((int) path.index());
    assertThat(InclusionVerifier.leadsToRoot(path.index(), path.size(), leaf, path.hashes(), root))
        .as(description)
        .isTrue();
    assertThat(path.rootFrom(leaf)).as(description).isEqualTo(root);
  }

  private static byte[] root(List<byte[]> leaves, int size) {
    RightEdge edge = new RightEdge();
    leaves.subList(0, size).forEach(edge::append);
    return edge.root();
  }

  private static List<byte[]> leaves(SplittableRandom random, int count) {
    List<byte[]> leaves = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] leaf = new byte[Sha256.BYTES];
      random.nextBytes(leaf);
      leaves.add(leaf);
    }
    return leaves;
  }
}
