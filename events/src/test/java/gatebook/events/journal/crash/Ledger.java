package gatebook.events.journal.crash;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.journal.Journal;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.journal.tree.RightEdge;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A ledger of the results reported to callers, compared with the rows. */
final class Ledger {
  private final TreeMap<Long, String> stored = new TreeMap<>();
  private final Map<String, String> absent = new HashMap<>();
  private int appendsStored;
  private int appendsUnknown;
  private int appendsUnavailable;
  private @Nullable String wrong;

  synchronized void add(ReportedResult reportedResult) {
    switch (reportedResult) {
      case ReportedResult.Stored(String append, long first, var digests) -> {
        appendsStored++;
        for (int i = 0; i < digests.size(); i++) {
          if (stored.put(first + i, digests.get(i)) != null) {
            wrong = "position %d was given twice, last to %s".formatted(first + i, append);
          }
        }
      }
      case ReportedResult.Absent(String append, String result) -> {
        absent.put(append, result);
        appendsUnavailable += result.startsWith("Unavailable") ? 1 : 0;
      }
      case ReportedResult.Unknown _ -> appendsUnknown++;
      case ReportedResult.Wrong(String append, String what) -> wrong = append + " got " + what;
    }
  }

  synchronized int appendsStored() {
    return appendsStored;
  }

  synchronized int appendsUnavailable() {
    return appendsUnavailable;
  }

  synchronized int appendsUnknown() {
    return appendsUnknown;
  }

  @Override
  public synchronized String toString() {
    return "%d appends acknowledged, %d unavailable, %d in doubt"
        .formatted(appendsStored, appendsUnavailable, appendsUnknown);
  }

  /** A reading of the rows from the first on; it may pause at the last row and continue later. */
  Reading reading() {
    return new Reading();
  }

  /** Reads all rows of a journal after the last append. */
  void check(Journal journal, JournalSettings settings) {
    Reading reading = reading();
    Row.forEach(journal, 0, reading::row);
    reading.end(StoredEdge.of(settings.location()));
  }

  /** Checks what is left after the other events were dropped: each once, as acknowledged. */
  synchronized void checkLeft(Journal journal) {
    assertThat(wrong).as("a wrong result").isNull();
    assertThat(stored.tailMap(journal.head(), false)).as("acknowledged events lost").isEmpty();
    List<Entry> left = journal.find(null, 0, journal.head(), Integer.MAX_VALUE);
    assertThat(left).extracting(Entry::position).doesNotHaveDuplicates();
    for (Entry entry : left) {
      String acknowledged = stored.get(entry.position());
      if (acknowledged != null) {
        assertThat(Work.digest(entry)).as("%s", entry).isEqualTo(acknowledged);
      }
    }
  }

  final class Reading {
    private final RightEdge tree = new RightEdge();
    private final Set<String> appends = new HashSet<>();
    private @Nullable Row last;

    /** The position of the last row that was read. */
    long position() {
      return tree.size();
    }

    void row(Row row) {
      synchronized (Ledger.this) {
        assertThat(row.position()).as("the next position").isEqualTo(position() + 1);
        assertThat(row.storedLeaf()).as("the leaf of %s", row).isEqualTo(row.leaf());
        String acknowledged = stored.get(row.position());
        if (acknowledged != null) {
          assertThat(row.digest())
              .as("the content of %s as acknowledged", row)
              .isEqualTo(acknowledged);
        }
        assertThat(absent).as("appends that were reported absent").doesNotContainKey(row.append());
        checkAppend(row);
        tree.append(HexFormat.of().parseHex(row.leaf()));
        last = row;
      }
    }

    private void checkAppend(Row row) {
      Row previous = last;
      if (row.index() == 1) {
        checkComplete(previous);
        assertThat(appends.add(row.append())).as("the first time of %s", row).isTrue();
      } else {
        boolean continues =
            previous != null
                && previous.append().equals(row.append())
                && previous.index() + 1 == row.index();
        assertThat(continues).as("%s continues the append of %s", row, previous).isTrue();
      }
    }

    private static void checkComplete(@Nullable Row end) {
      if (end != null) {
        assertThat(end.index())
            .as("the last event of the append of %s", end)
            .isEqualTo(end.count());
      }
    }

    /** Ends the reading at the last row for now. */
    void end(StoredEdge edge) {
      synchronized (Ledger.this) {
        assertThat(wrong).as("a wrong result").isNull();
        checkComplete(last);
        assertThat(stored.tailMap(position(), false))
            .as("acknowledged events that are lost")
            .isEmpty();
        assertThat(edge)
            .as("the stored right edge")
            .isEqualTo(new StoredEdge(tree.size(), HexFormat.of().formatHex(tree.bytes())));
      }
    }
  }
}
