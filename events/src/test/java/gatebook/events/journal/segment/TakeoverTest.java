package gatebook.events.journal.segment;

import static gatebook.events.journal.Journals.append;
import static gatebook.events.journal.Journals.draft;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.journal.Append;
import gatebook.events.journal.Entry;
import gatebook.events.journal.Journal;
import gatebook.events.journal.JournalSettings;
import gatebook.events.journal.JournalSnapshot;
import gatebook.events.journal.JournalState;
import gatebook.events.journal.Journals;
import gatebook.events.journal.MismatchAcceptance;
import gatebook.events.journal.RowCursor;
import gatebook.events.journal.StoredCheckpoint;
import gatebook.events.journal.h2.EmbeddedLocation;
import gatebook.events.journal.h2.H2Predecessor;
import gatebook.events.journal.tree.LeafHasher;
import gatebook.events.journal.tree.RightEdge;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.axonframework.messaging.eventstreaming.Tag;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A journal in the rows of H2 is taken over into segments when it is opened. */
class TakeoverTest {
  private static final int EVENTS = 3_000;

  @TempDir Path directory;
  private JournalSettings rows;
  private JournalSettings segments;

  @BeforeEach
  void settings() {
    rows = Journals.settings(directory, new EmbeddedLocation(directory.resolve("journal")));
    segments = Journals.withSegments(in(SegmentDisk.LOCAL), 20_000);
  }

  private JournalSettings in(SegmentDisk disk) {
    return Journals.withSegments(
        Journals.settings(
            directory,
            new SegmentLocation(
                directory.resolve("journal"),
                disk,
                java.util.Optional.of(new H2Predecessor(directory.resolve("journal"))))),
        20_000);
  }

  @Test
  void everythingIsTakenOverAsItWas() {
    Contents before = written();

    try (Journal journal = Journals.opened(segments)) {
      assertThat(journal.state()).isEqualTo(new JournalState.Writable());
      assertThat(found(journal, "3")).hasSize(EVENTS / 7 + 1);
      assertThat(append(journal, draft("next")))
          .isEqualTo(new Append.Stored(EVENTS + 1, EVENTS + 1));
    }
    expectTakenOver(before);
    assertThat(directory.resolve("journal.mv.db")).doesNotExist();
    assertThat(directory.resolve("journal.mv.db.taken-over")).exists();
    assertThat(directory.resolve("journal.ahead.db")).doesNotExist();
    assertThat(directory.resolve("journal.ahead.db.taken-over")).exists();
    assertThat(directory.resolve("journal/taking-over")).doesNotExist();
  }

  private Contents written() {
    try (Journal journal = Journals.opened(rows)) {
      List<CompletableFuture<Append>> appends = new ArrayList<>();
      for (int i = 0; i < EVENTS; i++) {
        appends.add(
            journal.append(
                gatebook.events.journal.ConflictCondition.none(),
                List.of(draft("event " + i, new Tag("call", "" + i % 7)))));
      }
      appends.forEach(it -> assertThat(it.join()).isInstanceOf(Append.Stored.class));
    }
    return Contents.of(rows);
  }

  private static List<Long> found(Journal journal, String call) {
    return journal
        .find(EventCriteria.havingTags(new Tag("call", call)), 0, journal.head(), EVENTS)
        .stream()
        .map(Entry::position)
        .toList();
  }

  private void expectTakenOver(Contents before) {
    Contents after = Contents.of(segments);
    assertThat(after.entries()).startsWith(before.entries().toArray(String[]::new));
    assertThat(after.checkpoints()).startsWith(before.checkpoints().toArray(String[]::new));
  }

  /** Everything that a journal stores, as texts. */
  private record Contents(List<String> entries, List<String> checkpoints) {
    static Contents of(JournalSettings settings) {
      try (JournalSnapshot snapshot = Journals.snapshot(settings)) {
        return new Contents(
            all(snapshot.events(), Contents::text), all(snapshot.checkpoints(), Contents::text));
      }
    }

    private static String text(Entry entry) {
      HexFormat hex = HexFormat.of();
      return hex.formatHex(new LeafHasher().bytes(entry)) + "/" + hex.formatHex(entry.leaf());
    }

    private static String text(StoredCheckpoint checkpoint) {
      return checkpoint.number()
          + "/"
          + checkpoint.size()
          + "/"
          + checkpoint.note()
          + "/"
          + HexFormat.of().formatHex(checkpoint.hashes());
    }

    private static <T> List<String> all(RowCursor<T> cursor, Function<T, String> text) {
      List<String> all = new ArrayList<>();
      try (cursor) {
        for (T next = cursor.next(); next != null; next = cursor.next()) {
          all.add(text.apply(next));
        }
      }
      return all;
    }
  }

  @Test
  void aTakeoverThatFailedGoesOnAtTheNextStart() {
    Contents before = written();
    for (int writes : List.of(1, 2, 3, 4)) {
      assertThat(Journal.open(in(new FailingAfter(writes))))
          .isInstanceOf(Journal.OpenResult.Refused.class);
      assertThat(directory.resolve("journal.mv.db")).exists();
    }

    Journals.opened(segments).close();

    expectTakenOver(before);
  }

  /** A disk that is full after some writes. */
  private static final class FailingAfter implements SegmentDisk {
    private final AtomicInteger left;

    FailingAfter(int writes) {
      this.left = new AtomicInteger(writes);
    }

    @Override
    public WrittenFile open(Path file) throws IOException {
      Local real = (Local) LOCAL.open(file);
      return new WrittenFile() {
        @Override
        public void write(ByteBuffer source, long position) throws IOException {
          if (left.getAndDecrement() <= 0) {
            throw new IOException("no space left on device");
          }
          real.write(source, position);
        }

        @Override
        public void truncate(long size) throws IOException {
          real.truncate(size);
        }

        @Override
        public long size() throws IOException {
          return real.size();
        }

        @Override
        public void force() throws IOException {
          real.force();
        }

        @Override
        public void close() throws IOException {
          real.close();
        }
      };
    }
  }

  @Test
  void anAcceptedJournalWithMissingRowsIsTakenOver() throws SQLException {
    List<Entry> entries = new ArrayList<>();
    try (Journal journal = Journals.opened(rows)) {
      append(journal, draft("a"), draft("b"), draft("c"), draft("d"));
      entries.addAll(journal.read(0, 10));
    }
    try (Connection connection = Journals.administrator(rows.location())) {
      connection.createStatement().execute("DELETE FROM journal WHERE position IN (2, 4)");
    }
    RightEdge standing = new RightEdge();
    entries.forEach(entry -> standing.append(new LeafHasher().leaf(entry)));
    MismatchAcceptance.accept(rows, standing, draft("accepted"));
    Contents before = Contents.of(rows);

    try (Journal journal = Journals.opened(segments)) {
      assertThat(journal.state()).isEqualTo(new JournalState.Writable());
      assertThat(append(journal, draft("e"))).isEqualTo(new Append.Stored(6, 6));
    }
    expectTakenOver(before);
  }

  @Test
  void aJournalWithAnEditedEdgeIsNotTakenOver() throws SQLException {
    Journals.opened(rows).close();
    try (Connection connection = Journals.administrator(rows.location())) {
      connection.createStatement().execute("UPDATE journal_edge SET size = 1");
    }

    assertThat(Journal.open(segments))
        .isEqualTo(
            new Journal.OpenResult.Refused(
                ("the journal %s cannot be taken over into segments: its rows do not lead to its"
                        + " right edge: verify it with the version before")
                    .formatted(directory.resolve("journal.mv.db"))));
    assertThat(directory.resolve("journal.mv.db")).exists();
  }

  @Test
  void twoJournalsInOneDirectoryAreRefused() throws IOException {
    written();
    Path kept = Files.copy(directory.resolve("journal.mv.db"), directory.resolve("kept"));
    Journals.opened(segments).close();
    Files.copy(kept, directory.resolve("journal.mv.db"));

    assertThat(Journal.open(segments))
        .isEqualTo(
            new Journal.OpenResult.Refused(
                "there are two journals, %s and %s: move away the one that is not to be used"
                    .formatted(directory.resolve("journal.mv.db"), directory.resolve("journal"))));
  }

  @Test
  void aSnapshotBeforeTheTakeoverIsRefused() {
    written();

    assertThat(JournalSnapshot.take(segments))
        .isEqualTo(
            new JournalSnapshot.TakeResult.Refused(
                "the journal %s is not taken over into segments yet: start the gateway once"
                    .formatted(directory.resolve("journal.mv.db"))));
  }
}
