package gatebook.events.journal.crash;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import gatebook.events.journal.Journal;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.tree.LeafHasher;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;

/**
 * A row of the journal, as the tests write it.
 *
 * @param index of the event within its append, from 1
 * @param count of events in that append
 * @param digest over the content that the caller gave
 * @param leaf computed from the row
 * @param storedLeaf as in the row
 */
record Row(
    long position,
    String append,
    int index,
    int count,
    String digest,
    String leaf,
    String storedLeaf) {
  private static final HexFormat HEX = HexFormat.of();
  private static final int HEAD_BYTES_MAX = 64;
  private static final int PAGE = 500;

  static void forEach(Journal journal, long after, Consumer<Row> consumer) {
    LeafHasher hasher = new LeafHasher();
    long seen = after;
    // reads the database: events in memory do not prove what is stored
    for (List<Entry> page = page(journal, seen); !page.isEmpty(); page = page(journal, seen)) {
      page.forEach(entry -> consumer.accept(of(entry, hasher)));
      seen = page.getLast().position();
    }
  }

  private static List<Entry> page(Journal journal, long after) {
    return journal.find(null, after, Long.MAX_VALUE, PAGE);
  }

  static Row of(Entry entry, LeafHasher hasher) {
    int headBytes = Math.min(HEAD_BYTES_MAX, entry.payload().length);
    String[] head = new String(entry.payload(), 0, headBytes, ISO_8859_1).split("/", 4);
    return new Row(
        entry.position(),
        head[0],
        Integer.parseInt(head[1]),
        Integer.parseInt(head[2]),
        Work.digest(entry),
        HEX.formatHex(hasher.leaf(entry)),
        HEX.formatHex(entry.leaf()));
  }

  Line line() {
    return Line.of(
        "row",
        Long.toString(position),
        append,
        Integer.toString(index),
        Integer.toString(count),
        digest,
        leaf,
        storedLeaf);
  }

  static Row of(Line line) {
    return new Row(
        line.number(1),
        line.at(2),
        (int) line.number(3),
        (int) line.number(4),
        line.at(5),
        line.at(6),
        line.at(7));
  }
}
