package gatebook.events.journal.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.journal.tree.InclusionPath;
import gatebook.events.journal.tree.RightEdge;
import gatebook.events.journal.tree.Sha256;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TlogProofTest {
  private static final int LEAVES = 40;
  private static final List<byte[]> TREE =
      IntStream.range(0, LEAVES).mapToObj(i -> Sha256.of(new byte[] {(byte) i})).toList();

  @Test
  void proofsLeadFromTheirLeafOnly() {
    RightEdge edge = new RightEdge();
    for (int size = 1; size <= LEAVES; size++) {
      edge.append(TREE.get(size - 1));
      Checkpoint checkpoint = new Checkpoint("log", size, edge.root());
      for (int index = 0; index < size; index++) {
        TlogProof proof = TlogProof.of(path(index, size), "note\n");
        byte[] leaf = TREE.get(index);
        assertThat(proof.leads(leaf, checkpoint)).isTrue();
        assertThat(proof.leads(TREE.get((index + 1) % LEAVES), checkpoint)).isFalse();
        for (int other = 0; other <= size; other++) {
          assertThat(new TlogProof(other, proof.hashes(), "").leads(leaf, checkpoint))
              .isEqualTo(other == index);
        }
      }
    }
  }

  @Test
  void fileIsReadAsItWasWritten() {
    byte[] file = TlogProof.of(path(5, 8), "log\n8\nroot\n\nsignature\n").bytes();

    assertThat(TlogProof.read(file).orElseThrow().bytes()).isEqualTo(file);
    assertThat(new String(file, UTF_8)).startsWith("c2sp.org/tlog-proof@v1\nindex 5\n");
    assertThat(TlogProof.read(file).orElseThrow().note()).isEqualTo("log\n8\nroot\n\nsignature\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "c2sp.org/tlog-proof@v1\nindex 1\nnote\n",
        "c2sp.org/tlog-proof@v2\nindex 1\n\nnote\n",
        "c2sp.org/tlog-proof@v1\nextra AA==\nindex 1\n\nnote\n",
        "c2sp.org/tlog-proof@v1\nindex 01\n\nnote\n",
        "c2sp.org/tlog-proof@v1\nindex -1\n\nnote\n",
        "c2sp.org/tlog-proof@v1\nindex 1\nAA==\n\nnote\n",
        "c2sp.org/tlog-proof@v1\r\nindex 1\n\nnote\n",
      })
  void otherFilesAreNotRead(String file) {
    assertThat(TlogProof.read(file.getBytes(UTF_8))).isEmpty();
  }

  private static InclusionPath path(int index, int size) {
    return InclusionPath.of(index, size, TlogProofTest::root);
  }

  private static byte[] root(long first, int level) {
    if (level == 0) {
      return TREE.get((int) first);
    }
    return Sha256.of(
        ByteBuffer.allocate(1 + 2 * Sha256.BYTES)
            .put((byte) 1)
            .put(root(first, level - 1))
            .put(root(first + (1L << (level - 1)), level - 1))
            .array());
  }
}
