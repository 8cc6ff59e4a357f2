package gatebook.events.journal.segment;

import static gatebook.events.journal.Journals.append;
import static gatebook.events.journal.Journals.draft;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.journal.Append;
import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.Entry;
import gatebook.events.journal.Journal;
import gatebook.events.journal.JournalSettings;
import gatebook.events.journal.JournalSnapshot;
import gatebook.events.journal.JournalState;
import gatebook.events.journal.Journals;
import gatebook.events.journal.MismatchAcceptance;
import gatebook.events.journal.RowCursor;
import gatebook.events.journal.StoredCheckpoint;
import gatebook.events.journal.h2.H2JournalWriter;
import gatebook.events.journal.h2.H2Predecessor;
import gatebook.events.journal.h2.KilledH2Journal;
import gatebook.events.journal.tree.LeafHasher;
import gatebook.events.journal.tree.RightEdge;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
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

  /** The others are only in the write-ahead log. */
  private static final int ROWS = 2_500;

  @TempDir Path directory;
  private JournalSettings segments;

  @BeforeEach
  void settings() {
    segments = in(directory, SegmentDisk.LOCAL);
  }

  private static JournalSettings in(Path directory, SegmentDisk disk) {
    Path journal = directory.resolve("journal");
    return Journals.withSegments(
        Journals.settings(
            directory,
            new SegmentLocation(
                journal,
                disk,
                Optional.of(new H2Predecessor(journal)),
                SegmentCompression.DEFLATE)),
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
    expectRetired(directory);
  }

  /** A journal in H2 with the key, the checkpoint file and the count that belong to it. */
  private Contents written() {
    JournalSettings before = before();
    try (Journal journal = Journals.opened(before)) {
      List<CompletableFuture<Append>> appends = new ArrayList<>();
      for (int i = 0; i < EVENTS; i++) {
        appends.add(
            journal.append(
                ConflictCondition.none(),
                List.of(draft("event " + i, new Tag("call", "" + i % 7)))));
      }
      appends.forEach(it -> assertThat(it.join()).isInstanceOf(Append.Stored.class));
    }
    try (JournalSnapshot snapshot = Journals.snapshot(before)) {
      H2JournalWriter.write(snapshot, directory.resolve("journal"), ROWS);
    } catch (IOException | SQLException e) {
      throw new AssertionError(e);
    }
    return Contents.of(before);
  }

  /** The journal that is then written into H2. */
  private JournalSettings before() {
    return Journals.withCheckpoints(
        Journals.settings(directory, new SegmentLocation(directory.resolve("before"))), 700, 50);
  }

  private static List<Long> found(Journal journal, String call) {
    return journal
        .find(EventCriteria.havingTags(new Tag("call", call)), 0, journal.head(), EVENTS)
        .stream()
        .map(Entry::position)
        .toList();
  }

  private void expectTakenOver(Contents before) {
    expectTakenOver(before, segments);
  }

  private static void expectTakenOver(Contents before, JournalSettings taken) {
    Contents after = Contents.of(taken);
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
      assertThat(Journal.open(in(directory, new FailingAfter(writes))))
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
      return new ForwardingFile(LOCAL.open(file)) {
        @Override
        public void write(ByteBuffer source, long position) throws IOException {
          if (left.getAndDecrement() <= 0) {
            throw new IOException("no space left on device");
          }
          super.write(source, position);
        }
      };
    }
  }

  /** Each image of the files is what a process leaves that is killed at this moment. */
  @Test
  void aTakeoverGoesOnAfterAKillAtAnyMoment() throws IOException {
    Contents before = written();
    Path images = Files.createDirectory(directory.resolve("images"));
    List<Path> left = imagesOf(directory, images);
    assertThat(left).hasSizeGreaterThan(20);
    Path again = Files.createDirectory(directory.resolve("again"));
    left.addAll(imagesOf(left.get(left.size() / 2), again)); // killed once more, then taken over

    for (Path image : left) {
      JournalSettings settings = in(image, SegmentDisk.LOCAL);
      try (Journal journal = Journals.opened(settings)) {
        assertThat(journal.state()).isEqualTo(new JournalState.Writable());
        assertThat(journal.head()).isEqualTo(EVENTS);
      }
      expectTakenOver(before, settings);
      expectRetired(image);
    }
  }

  /** Takes over, and makes an image of the files before each change of a segment. */
  private static List<Path> imagesOf(Path from, Path images) {
    List<Path> left = new ArrayList<>();
    SegmentDisk disk =
        new WatchedDisk(() -> {
          Path image = images.resolve("" + left.size());
          copy(from, image);
          left.add(image);
        });
    Journals.opened(in(from, disk)).close();
    return left;
  }

  private static void copy(Path from, Path to) {
    try {
      Files.createDirectories(to.resolve("journal"));
      for (String folder : List.of("", "journal")) {
        try (DirectoryStream<Path> files =
            Files.newDirectoryStream(from.resolve(folder), Files::isRegularFile)) {
          for (Path file : files) {
            Files.copy(file, to.resolve(folder).resolve(file.getFileName()));
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void expectRetired(Path data) {
    for (String file : List.of("journal.mv.db", "journal.ahead.db")) {
      assertThat(data.resolve(file)).doesNotExist();
      assertThat(data.resolve(file + ".taken-over")).exists();
    }
    assertThat(data.resolve("journal/taking-over")).doesNotExist();
  }

  /** A disk that calls before each change of a file until the journal is taken over. */
  private record WatchedDisk(Runnable moment) implements SegmentDisk {
    @Override
    public WrittenFile open(Path file) throws IOException {
      return new ForwardingFile(LOCAL.open(file)) {
        @Override
        public void write(ByteBuffer source, long position) throws IOException {
          change();
          super.write(source, position);
        }

        @Override
        public void truncate(long size) throws IOException {
          change();
          super.truncate(size);
        }

        @Override
        public void force() throws IOException {
          change();
          super.force();
        }

        private void change() {
          if (Files.exists(file.resolveSibling("taking-over"))) {
            moment.run();
          }
        }
      };
    }
  }

  @Test
  void aKillWhileTheOldFilesAreRenamedLosesNothing() throws IOException {
    Contents before = written();
    Journals.opened(segments).close();
    Path mark = directory.resolve("journal/taking-over");
    for (List<String> renamed :
        List.of(
            List.<String>of(),
            List.of("journal.mv.db"),
            List.of("journal.mv.db", "journal.ahead.db"))) {
      Files.createFile(mark);
      for (String file : List.of("journal.mv.db", "journal.ahead.db")) {
        if (!renamed.contains(file)) {
          Files.move(directory.resolve(file + ".taken-over"), directory.resolve(file));
        }
      }

      Journals.opened(segments).close();

      expectTakenOver(before);
      expectRetired(directory);
    }
  }

  @Test
  void aJournalOfTheLastVersionIsTakenOver() throws IOException {
    Path data = Files.createDirectory(directory.resolve("data"));
    KilledH2Journal.copyTo(data);
    List<String> before = KilledH2Journal.contents();
    JournalSettings taken = in(data, SegmentDisk.LOCAL);

    try (Journal journal = Journals.opened(taken)) {
      assertThat(journal.state()).isEqualTo(new JournalState.Writable());
      assertThat(journal.read(0, 100).stream().map(TakeoverTest::line).toList())
          .isEqualTo(before.subList(0, KilledH2Journal.EVENTS));
      assertThat(append(journal, draft("next")))
          .isEqualTo(new Append.Stored(KilledH2Journal.EVENTS + 1, KilledH2Journal.EVENTS + 1));
    }
    expectRetired(data);
  }

  @Test
  void aJournalWithoutItsLogIsNotTrusted() throws IOException {
    Path data = Files.createDirectory(directory.resolve("data"));
    KilledH2Journal.copyTo(data);
    Files.delete(data.resolve("journal.ahead.db"));

    try (Journal journal = Journals.opened(in(data, SegmentDisk.LOCAL))) {
      assertThat(journal.state())
          .isEqualTo(
              new JournalState.Distrusted(
                  "the checkpoint file covers 18 events and the journal holds 10"));
    }
  }

  private static String line(Entry entry) {
    return "event/" + entry.position() + "/" + HexFormat.of().formatHex(entry.leaf());
  }

  @Test
  void anAcceptedJournalWithMissingRowsIsTakenOver() throws IOException, SQLException {
    JournalSettings before = before();
    List<Entry> entries = new ArrayList<>();
    try (Journal journal = Journals.opened(before)) {
      append(journal, draft("a"), draft("b"), draft("c"), draft("d"));
      entries.addAll(journal.read(0, 10));
    }
    new SegmentEditor(directory.resolve("before")).deleteEvents(2, 4);
    RightEdge standing = new RightEdge();
    entries.forEach(entry -> standing.append(new LeafHasher().leaf(entry)));
    MismatchAcceptance.accept(before, standing, draft("accepted"));
    try (JournalSnapshot snapshot = Journals.snapshot(before)) {
      H2JournalWriter.write(snapshot, directory.resolve("journal"));
    }

    try (Journal journal = Journals.opened(segments)) {
      assertThat(journal.state()).isEqualTo(new JournalState.Writable());
      assertThat(append(journal, draft("e"))).isEqualTo(new Append.Stored(6, 6));
    }
    expectTakenOver(Contents.of(before));
  }

  @Test
  void aJournalWithAnEditedEdgeIsNotTakenOver() throws SQLException {
    written();
    try (Connection connection = H2JournalWriter.administrator(directory.resolve("journal"))) {
      connection.createStatement().execute("UPDATE journal_edge SET size = 1");
    }

    expectRefused("its rows do not lead to its right edge: verify it with the version before");
  }

  @Test
  void aJournalWithoutAnEdgeIsNotTakenOver() throws SQLException {
    written();
    try (Connection connection = H2JournalWriter.administrator(directory.resolve("journal"))) {
      connection.createStatement().execute("DELETE FROM journal_edge");
    }

    expectRefused("it has no right edge");
  }

  private void expectRefused(String why) {
    assertThat(Journal.open(segments))
        .isEqualTo(
            new Journal.OpenResult.Refused(
                "the journal %s cannot be taken over into segments: %s"
                    .formatted(directory.resolve("journal.mv.db"), why)));
    assertThat(directory.resolve("journal.mv.db")).exists();
    assertThat(directory.resolve("journal.ahead.db")).exists();
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
