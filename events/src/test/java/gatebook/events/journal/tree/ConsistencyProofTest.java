package gatebook.events.journal.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gatebook.events.Proof;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ConsistencyProofTest {
  private final NavigableMap<Long, RightEdge> stored = new TreeMap<>();
  private final List<byte[]> roots = new ArrayList<>();
  private final List<byte[]> leaves = new ArrayList<>();
  private long leavesRead;
  private long edgesRead;

  /** A tree that grows to a size; edges are stored with steps of at most so many leaves. */
  private void grow(int size, int stepMax, SplittableRandom random) {
    RightEdge edge = new RightEdge();
    roots.add(edge.root());
    long next = 0;
    for (int i = 0; i < size; i++) {
      byte[] leaf = new byte[Sha256.BYTES];
      random.nextBytes(leaf);
      leaves.add(leaf);
      edge.append(leaf);
      roots.add(edge.root());
      if (edge.size() >= next) {
        stored.put(edge.size(), edge.copy());
        next = edge.size() + 1 + random.nextInt(stepMax);
      }
    }
  }

  private ConsistencyProof proof(long first, long second) {
    return ConsistencyProof.of(
        first, second, new StoredSubtrees(second, this::edgeAtMost, this::read));
  }

  private RightEdge edgeAtMost(long size) {
    edgesRead++;
    var entry = stored.floorEntry(size);
    return entry == null ? new RightEdge() : entry.getValue();
  }

  private List<byte[]> read(long from, long to) {
    leavesRead += to - from;
    return leaves.subList((int) from, (int) to);
  }

  @Test
  void everySizeIsProvenToContinueEverySmallerOne() {
    grow(100, 9, Proof.random("consistency proofs"));
    for (int second = 0; second <= 100; second++) {
      for (int first = 0; first <= second; first++) {
        ConsistencyProof proof = proof(first, second);
        assertThat(proof.proves(roots.get(first), roots.get(second)))
            .as("from %d to %d", first, second)
            .isTrue();
        if (first > 0 && first < second) {
          assertThat(proof.proves(roots.get(first - 1), roots.get(second))).isFalse();
          assertThat(proof.proves(roots.get(first), roots.get(second - 1))).isFalse();
        }
      }
    }
  }

  @Test
  void aProofOfALongTreeReadsFewEdges() {
    int size = 200_000;
    SplittableRandom random = Proof.random("consistency proofs of a long tree");
    grow(size, 2_000, random);
    for (int i = 0; i < Proof.rounds(20, 500); i++) {
      int second = 1 + random.nextInt(size);
      int first = 1 + random.nextInt(second);
      leavesRead = 0;
      edgesRead = 0;

      assertThat(proof(first, second).proves(roots.get(first), roots.get(second)))
          .as("from %d to %d", first, second)
          .isTrue();
      assertThat(edgesRead).isLessThan(100);
      assertThat(leavesRead).isLessThan(20_000);
    }
  }

  @Test
  void noTreeGoesOnFromALargerOne() {
    assertThatThrownBy(() -> proof(3, 2)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> proof(-1, 2)).isInstanceOf(IllegalArgumentException.class);
  }
}
