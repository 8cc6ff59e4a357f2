package gatebook.events.journal.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RightEdgeTest {
  private static final HexFormat HEX = HexFormat.of();

  /** The inputs and roots published with Certificate Transparency's reference implementation. */
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
    "0, e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "1, 6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "2, fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "3, aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "4, d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "5, 4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "6, 76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "7, ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "8, 5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"
  })
  void theRootsMatchThePublishedRoots(int leaves, String root) {
    RightEdge edge = new RightEdge();
    PUBLISHED_INPUTS.stream()
        .limit(leaves)
        .forEach(input -> edge.append(hash(new byte[] {0}, HEX.parseHex(input))));

    assertThat(HEX.formatHex(edge.root())).isEqualTo(root);
  }

  @Test
  void theRootMatchesTheRecursiveDefinitionAtEverySize() {
    List<byte[]> leaves = randomLeaves(300);
    RightEdge edge = new RightEdge();

    for (int size = 0; size < leaves.size(); size++) {
      assertThat(edge.size()).isEqualTo(size);
      assertThat(edge.root()).isEqualTo(recursiveRoot(leaves.subList(0, size)));
      edge.append(leaves.get(size));
    }
  }

  @Test
  void aRestoredEdgeGivesTheOriginalsRoot() {
    List<byte[]> leaves = randomLeaves(130);
    byte[] rootOfAll = recursiveRoot(leaves);
    RightEdge edge = new RightEdge();

    for (int size = 0; size < leaves.size(); size++) {
      RightEdge restored = RightEdge.restored(size, edge.bytes()).orElseThrow();
      leaves.subList(size, leaves.size()).forEach(restored::append);
      assertThat(restored.root()).isEqualTo(rootOfAll);
      edge.append(leaves.get(size));
    }
  }

  @Test
  void appendingToACopyLeavesTheOriginal() {
    List<byte[]> leaves = randomLeaves(70);
    RightEdge edge = new RightEdge();

    for (byte[] leaf : leaves) {
      byte[] before = edge.bytes();
      RightEdge copy = edge.copy();
      leaves.forEach(copy::append);
      assertThat(edge.bytes()).isEqualTo(before);
      edge.append(leaf);
    }
  }

  @Test
  void bytesThatDoNotFitTheSizeAreRefused() {
    assertThat(RightEdge.restored(0, new byte[0])).isPresent();
    assertThat(RightEdge.restored(0, new byte[32])).isEmpty();
    assertThat(RightEdge.restored(5, new byte[64])).isPresent();
    assertThat(RightEdge.restored(5, new byte[63])).isEmpty();
    assertThat(RightEdge.restored(5, new byte[96])).isEmpty();
    assertThat(RightEdge.restored(-1, new byte[64 * 32])).isEmpty();
    assertThat(RightEdge.restored(Long.MAX_VALUE, new byte[63 * 32])).isPresent();
  }

  private static List<byte[]> randomLeaves(int count) {
    Random random = new Random(6962);
    List<byte[]> leaves = new ArrayList<>();
    IntStream.range(0, count)
        .forEach(_ -> {
          byte[] leaf = new byte[32];
          random.nextBytes(leaf);
          leaves.add(leaf);
        });
    return leaves;
  }

  private static byte[] recursiveRoot(List<byte[]> leaves) {
    if (leaves.isEmpty()) {
      return hash();
    }
    if (leaves.size() == 1) {
      return leaves.getFirst();
    }
    int split = Integer.highestOneBit(leaves.size() - 1);
    return hash(
        new byte[] {1},
        recursiveRoot(leaves.subList(0, split)),
        recursiveRoot(leaves.subList(split, leaves.size())));
  }

  private static byte[] hash(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return Sha256.newDigest().digest(all.toByteArray());
  }
}
