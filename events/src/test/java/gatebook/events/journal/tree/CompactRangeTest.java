package gatebook.events.journal.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CompactRangeTest {
  private static final int LEAVES_MAX = 40;

  @Test
  void aRangeGrowsATreeAsItsLeavesDo() {
    for (int begin = 0; begin <= LEAVES_MAX; begin++) {
      for (int end = begin; end <= LEAVES_MAX; end++) {
        RightEdge tree = tree(begin);
        tree.append(range(begin, end));

        assertThat(tree.size()).isEqualTo(end);
        assertThat(tree.bytes()).describedAs("%d to %d", begin, end).isEqualTo(tree(end).bytes());
        tree.append(leaf(end));
        assertThat(tree.root()).isEqualTo(tree(end + 1).root());
      }
    }
  }

  @Test
  void aRangeIsRestoredFromItsRoots() {
    for (int begin = 0; begin <= LEAVES_MAX; begin++) {
      for (int end = begin; end <= LEAVES_MAX; end++) {
        RightEdge tree = tree(begin);
        tree.append(CompactRange.restored(begin, end, range(begin, end).roots()).orElseThrow());

        assertThat(tree.bytes()).describedAs("%d to %d", begin, end).isEqualTo(tree(end).bytes());
      }
    }
  }

  @Test
  void rootsThatDoNotFitAreNoRange() {
    List<byte[]> roots = range(3, 11).roots();
    List<byte[]> more = new ArrayList<>(roots);
    more.add(leaf(1));

    assertThat(roots).hasSize(4);
    assertThat(CompactRange.restored(3, 11, roots.subList(0, 3))).isEmpty();
    assertThat(CompactRange.restored(3, 11, more)).isEmpty();
    assertThat(CompactRange.restored(3, 4, List.of(new byte[31]))).isEmpty();
    assertThat(CompactRange.restored(-1, 0, List.of(leaf(1)))).isEmpty();
    assertThat(CompactRange.restored(4, 3, List.of())).isEmpty();
  }

  @Test
  void aRangeAtAnotherPlaceIsNotAppended() {
    assertThatThrownBy(() -> tree(2).append(range(3, 4)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static RightEdge tree(int size) {
    RightEdge tree = new RightEdge();
    for (int i = 0; i < size; i++) {
      tree.append(leaf(i));
    }
    return tree;
  }

  private static CompactRange range(int begin, int end) {
    CompactRange range = new CompactRange(begin);
    for (int i = begin; i < end; i++) {
      range.append(leaf(i));
    }
    return range;
  }

  private static byte[] leaf(int index) {
    return Sha256.newDigest().digest(new byte[] {(byte) index});
  }
}
