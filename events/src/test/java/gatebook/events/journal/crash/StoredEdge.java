package gatebook.events.journal.crash;

import gatebook.events.journal.Journals;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.journal.storage.JournalSnapshot;
import java.nio.file.Path;
import java.util.HexFormat;

/** The stored right edge, read beside the journal. */
record StoredEdge(long size, String hashes) {

  static StoredEdge of(JournalSettings.Location location) {
    try (JournalSnapshot snapshot = Journals.snapshot(Journals.settings(Path.of(""), location))) {
      JournalSnapshot.StoredEdge edge = snapshot.edge().orElseThrow();
      return new StoredEdge(edge.size(), HexFormat.of().formatHex(edge.hashes()));
    }
  }

  Line line() {
    return Line.of("edge", Long.toString(size), hashes);
  }

  static StoredEdge of(Line line) {
    return new StoredEdge(line.number(1), line.at(2));
  }
}
