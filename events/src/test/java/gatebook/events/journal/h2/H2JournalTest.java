package gatebook.events.journal.h2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gatebook.events.journal.Entry;
import gatebook.events.journal.JournalSnapshot.StoredEdge;
import gatebook.events.journal.OpenRefusal;
import gatebook.events.journal.StorageFailure;
import gatebook.events.journal.StoredCheckpoint;
import gatebook.events.journal.segment.PredecessorJournal;
import gatebook.events.journal.tree.LeafHasher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads what a killed process left: a database, and a log ahead of it. */
class H2JournalTest {
  private static final HexFormat HEX = HexFormat.of();

  @TempDir Path directory;
  private Path database;
  private Path log;

  @BeforeEach
  void copyFiles() {
    KilledH2Journal.copyTo(directory);
    database = directory.resolve("journal.mv.db");
    log = directory.resolve("journal.ahead.db");
  }

  private PredecessorJournal open() throws OpenRefusal, StorageFailure {
    return new H2Predecessor(directory.resolve("journal")).open();
  }

  @Test
  void theBatchesOfTheLogFollowTheRows() throws Exception {
    assertThat(contents(100)).isEqualTo(KilledH2Journal.contents());
  }

  @Test
  void pagesOfAnySizeLeadThroughRowsAndLog() throws Exception {
    for (int page = 1; page <= KilledH2Journal.EVENTS; page++) {
      assertThat(contents(page)).as("pages of %d", page).isEqualTo(KilledH2Journal.contents());
    }
  }

  @Test
  void readingChangesNeitherFile() throws Exception {
    byte[] databaseBytes = Files.readAllBytes(database);
    byte[] logBytes = Files.readAllBytes(log);

    contents(100);

    assertThat(database).hasBinaryContent(databaseBytes);
    assertThat(log).hasBinaryContent(logBytes);
  }

  @Test
  void entriesAreReadUpToAPosition() throws Exception {
    try (PredecessorJournal journal = open()) {
      assertThat(positions(journal.entries(7, 9, 100))).containsExactly(8L, 9L);
      assertThat(positions(journal.entries(9, 12, 100))).containsExactly(10L, 11L, 12L);
      assertThat(positions(journal.entries(14, 16, 100))).containsExactly(15L, 16L);
    }
  }

  @Test
  void withoutTheLogOnlyTheRowsAreRead() throws Exception {
    Files.delete(log);

    assertThat(contents(100)).isEqualTo(contentsOfRows());
  }

  /** A killed process may leave a log that the database holds, in part or as a whole. */
  @Test
  void batchesThatAreRowsTooAreReadOnce() throws Exception {
    List<String> contents = KilledH2Journal.contents();
    for (int rows = KilledH2Journal.ROWS; rows <= KilledH2Journal.EVENTS; rows++) {
      addToDatabase(rows);

      assertThat(contents(100)).as("%d rows", rows).isEqualTo(contents);
    }
  }

  @Test
  void aLogThatDoesNotFollowTheDatabaseIsRefused() throws Exception {
    Files.write(log, LogRecords.encode(1, WriteAheadLog.read(log).subList(1, 8)));

    assertThatThrownBy(this::open)
        .isInstanceOf(OpenRefusal.class)
        .hasMessage(
            ("the write-ahead log %s holds events that do not follow those of %s: restore the"
                    + " database that it belongs to, or move the log away to go on without them")
                .formatted(log, database));
  }

  @Test
  void anUnfinishedTransactionIsNotRead() throws Exception {
    Files.delete(log);
    Path left = Files.createDirectory(directory.resolve("left"));
    try (Connection connection = administrator();
        Connection other = administrator();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute(
          "INSERT INTO journal SELECT position + 10, id, name, version, at, node, tags, payload,"
              + " metadata, leaf FROM journal");
      statement.execute("UPDATE journal_edge SET size = 20");
      statement.execute("DELETE FROM journal_checkpoint");
      other.createStatement().execute("CHECKPOINT SYNC"); // saves what is not committed, too
      Files.copy(database, left.resolve("journal.mv.db"));
      connection.rollback();
    }
    directory = left;

    assertThat(contents(100)).isEqualTo(contentsOfRows());
  }

  /** The database alone may lack what is in the log. */
  @Test
  void theLogIsRenamedOnlyAfterTheDatabase() throws Exception {
    H2Predecessor predecessor = new H2Predecessor(directory.resolve("journal"));
    Path blocked = Files.createDirectory(Path.of(database + ".taken-over"));
    assertThatThrownBy(predecessor::retire).isInstanceOf(IOException.class);
    assertThat(log).exists();

    Files.delete(blocked);
    predecessor.retire();

    assertThat(predecessor.exists()).isFalse();
    assertThat(log).doesNotExist();
  }

  @Test
  void aDatabaseWithoutTablesHasNoRightEdge() throws Exception {
    try (Connection connection = administrator()) {
      connection.createStatement().execute("DROP ALL OBJECTS");
    }

    try (PredecessorJournal journal = open()) {
      assertThat(journal.edge()).isEmpty();
    }
  }

  @Test
  void aDatabaseThatIsInUseIsRefused() throws Exception {
    try (Connection _ = administrator()) {
      assertThatThrownBy(this::open)
          .isInstanceOf(OpenRefusal.class)
          .hasMessage(
              "the database %s is in use by another process: stop that one first", database);
    }
  }

  @Test
  void aDamagedDatabaseIsRefused() throws Exception {
    byte[] bytes = Files.readAllBytes(database);
    Arrays.fill(bytes, (byte) 7);
    Files.write(database, bytes);

    assertThatThrownBy(this::open)
        .isInstanceOf(OpenRefusal.class)
        .hasMessage("the database %s is damaged: restore it from a copy", database);
  }

  private Connection administrator() throws SQLException {
    return H2JournalWriter.administrator(directory.resolve("journal"));
  }

  /** Adds the batches of the log up to a position to the database, as the old recovery did. */
  private void addToDatabase(long upTo) throws Exception {
    List<Entry> entries;
    List<StoredCheckpoint> checkpoints;
    try (PredecessorJournal journal = open()) {
      entries = journal.entries(0, upTo, 100);
      checkpoints = journal.checkpoints(0, 100).stream().filter(it -> it.size() <= upTo).toList();
    }
    Files.delete(database);
    H2JournalWriter.writeRows(directory.resolve("journal"), entries, checkpoints);
  }

  /** The checkpoint over all of them has the hashes of the right edge. */
  private static List<String> contentsOfRows() throws IOException {
    List<String> rows = new ArrayList<>(KilledH2Journal.contents());
    rows.removeIf(line -> number(line) > KilledH2Journal.ROWS);
    rows.add(rows.getLast().replace("checkpoint/4/", "edge/"));
    return rows;
  }

  /** The position of an event, the size of a checkpoint. */
  private static long number(String line) {
    String[] parts = line.split("/", -1);
    return Long.parseLong(parts[0].equals("checkpoint") ? parts[2] : parts[1]);
  }

  private List<String> contents(int page) throws OpenRefusal, StorageFailure {
    try (PredecessorJournal journal = open()) {
      List<String> contents = new ArrayList<>();
      Optional<StoredEdge> edge = journal.edge();
      long size = edge.orElseThrow().size();
      for (List<Entry> entries = journal.entries(0, size, page);
          !entries.isEmpty();
          entries = journal.entries(entries.getLast().position(), size, page)) {
        entries.forEach(entry -> contents.add(text(entry)));
      }
      for (List<StoredCheckpoint> checkpoints = journal.checkpoints(0, page);
          !checkpoints.isEmpty();
          checkpoints = journal.checkpoints(checkpoints.getLast().number(), page)) {
        checkpoints.forEach(checkpoint -> contents.add(text(checkpoint)));
      }
      contents.add("edge/" + size + "/" + HEX.formatHex(edge.orElseThrow().hashes()));
      return contents;
    }
  }

  private static String text(Entry entry) {
    assertThat(entry.leaf()).isEqualTo(new LeafHasher().leaf(entry));
    return "event/" + entry.position() + "/" + HEX.formatHex(entry.leaf());
  }

  private static String text(StoredCheckpoint checkpoint) {
    return "checkpoint/%d/%d/%s"
        .formatted(checkpoint.number(), checkpoint.size(), HEX.formatHex(checkpoint.hashes()));
  }

  private static List<Long> positions(List<Entry> entries) {
    return entries.stream().map(Entry::position).toList();
  }
}
