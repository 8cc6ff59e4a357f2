package gatebook.events.journal.tree;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.journal.storage.Entry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Checks the test vectors of the decision record, which freezes the layout. */
class DecidedVectorsTest {
  private static final int VALUE_COLUMN = 9;
  private static final Pattern VECTOR =
      Pattern.compile("^```vector\n(.*?)\n```$", Pattern.DOTALL | Pattern.MULTILINE);
  private static final HexFormat HEX = HexFormat.of();

  private final LeafHasher hasher = new LeafHasher();

  @Test
  void leavesAndRootMatchTheDecisionRecord() throws IOException {
    String record = Files.readString(Path.of("decisions", "0001-envelope-and-tree.md"));
    List<Entry> vectors = VECTOR.matcher(record).results().map(it -> entry(it.group(1))).toList();
    RightEdge edge = new RightEdge();

    assertThat(vectors).hasSize(3);
    for (Entry entry : vectors) {
      byte[] leaf = hasher.leaf(entry);
      assertThat(leaf).isEqualTo(entry.leaf());
      edge.append(leaf);
    }
    assertThat(record)
        .contains("missing position 3\n" + HEX.formatHex(hasher.missing(3)) + "\n")
        .contains("leaves 0, 1 and 2\n" + HEX.formatHex(edge.root()) + "\n");
  }

  private static Entry entry(String vector) {
    List<String> columns = vector.lines().map(DecidedVectorsTest::value).toList();
    return new Entry(
        Long.parseLong(columns.get(0)),
        columns.get(1),
        columns.get(2),
        columns.get(3),
        columns.get(4),
        columns.get(5),
        columns.get(6),
        columns.get(7).getBytes(UTF_8),
        columns.get(8).getBytes(UTF_8),
        HEX.parseHex(columns.get(9)));
  }

  private static String value(String line) {
    return line.length() < VALUE_COLUMN ? "" : line.substring(VALUE_COLUMN).replace("\\n", "\n");
  }
}
