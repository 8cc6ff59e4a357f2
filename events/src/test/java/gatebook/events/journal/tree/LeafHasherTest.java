package gatebook.events.journal.tree;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.journal.storage.Entry;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LeafHasherTest {
  private static final byte[] NO_LEAF = {};

  private final LeafHasher hasher = new LeafHasher();

  @Test
  void theLeafHashesTheEnvelopeByteForByte() throws IOException {
    for (String text : List.of("", "plain", "Zoë ß", "契約 ✓", "🗝 and \u0000", "x".repeat(5_000))) {
      Entry entry = entry(7, text, text + "b", "{}".getBytes(UTF_8));
      assertThat(hasher.leaf(entry)).isEqualTo(referenceLeaf(entry));
    }
  }

  @Test
  void textsThatDifferInALoneSurrogateHaveDifferentLeaves() {
    List<String> texts = List.of("?", "\ud800", "\ud801", "\udc00", "\ufffd", "\ud83d\udddd", "");
    Set<String> leaves = new HashSet<>();

    for (String text : texts) {
      leaves.add(Arrays.toString(hasher.leaf(entry(1, text, "", new byte[0]))));
    }

    assertThat(leaves).hasSameSizeAs(texts);
  }

  @Test
  void movingTextBetweenColumnsChangesTheLeaf() {
    assertThat(hasher.leaf(entry(1, "ab", "c", new byte[0])))
        .isNotEqualTo(hasher.leaf(entry(1, "a", "bc", new byte[0])));
  }

  @Test
  void eachMissingPositionHasItsOwnLeaf() {
    List<byte[]> leaves = new ArrayList<>();
    leaves.add(hasher.missing(1));
    leaves.add(hasher.missing(2));
    leaves.add(hasher.leaf(entry(1, "", "", new byte[0])));

    assertThat(leaves.stream().map(Arrays::toString)).doesNotHaveDuplicates();
    assertThat(hasher.missing(258))
        .isEqualTo(
            Sha256.newDigest()
                .digest("\0gatebook/missing/\0\0\0\0\0\0\u0001\u0002".getBytes(UTF_8)));
  }

  private static Entry entry(long position, String id, String name, byte[] payload) {
    return new Entry(position, id, name, "1", "at", "node", "tags", payload, new byte[3], NO_LEAF);
  }

  private static byte[] referenceLeaf(Entry entry) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeByte(0);
    out.writeBytes("gatebook/1\n");
    out.writeLong(entry.position());
    for (String text :
        List.of(
            entry.id(), entry.name(), entry.version(), entry.at(), entry.node(), entry.tags())) {
      byte[] utf8 = text.getBytes(UTF_8);
      out.writeInt(utf8.length);
      out.write(utf8);
    }
    out.write(Sha256.newDigest().digest(entry.payload()));
    out.write(Sha256.newDigest().digest(entry.metadata()));
    return Sha256.newDigest().digest(bytes.toByteArray());
  }
}
