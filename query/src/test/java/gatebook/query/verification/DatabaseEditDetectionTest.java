package gatebook.query.verification;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.Proof;
import gatebook.events.journal.Journal;
import gatebook.events.journal.Journals;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.postgres.SharedLocation;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.journal.storage.JournalSnapshot;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.axonframework.messaging.eventstreaming.Tag;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An edit in any table of the journal's database is found: reading the rows hides nothing from the
 * verification.
 */
@Order(1)
final class DatabaseEditDetectionTest {
  private static final int ROUNDS = Proof.rounds(10, 2_000);
  private static final int EVENTS = 23;
  private static final List<String> TABLES =
      List.of("journal", "journal_tag", "journal_edge", "journal_checkpoint");

  @TempDir private Path directory;

  @Test
  void aChangedColumnIsFound() throws SQLException {
    try (TamperedJournal journal = new TamperedJournal(directory)) {
      assertThat(journal.verify().clean()).isTrue();
      for (int round = 0; round < ROUNDS; round++) {
        Random random = new Random(round);
        String table = TABLES.get(random.nextInt(TABLES.size()));
        Cell cell = journal.anyCell(table, random);

        String edit = "round %d: %s".formatted(round, journal.change(cell, random));
        VerificationReport verificationReport = journal.verify();

        assertThat(verificationReport.clean()).describedAs(edit).isFalse();
        if (table.equals("journal") && !cell.column().equals("position")) {
          assertThat(verificationReport.found())
              .describedAs(edit)
              .extracting(VerificationReport.Found::finding)
              .contains(new VerificationFinding.Altered(cell.key(), cell.column().equals("leaf")));
        }
        journal.restore();
      }
    }
  }

  @Test
  void aDeletedRowIsFound() throws SQLException {
    try (TamperedJournal journal = new TamperedJournal(directory)) {
      for (int round = 0; round < ROUNDS; round++) {
        Random random = new Random(round);
        String table = TABLES.get(random.nextInt(TABLES.size()));
        Cell cell = journal.anyCell(table, random);

        journal.execute("DELETE FROM %s WHERE %s".formatted(table, cell.where()));

        assertThat(journal.verify().clean()).describedAs("round " + round + cell).isFalse();
        journal.restore();
      }
    }
  }

  @Test
  void twoSwappedRowsAreFound() throws SQLException {
    try (TamperedJournal journal = new TamperedJournal(directory)) {
      for (int round = 0; round < ROUNDS; round++) {
        Random random = new Random(round);
        long one = 1L + random.nextInt(EVENTS);
        long other = 1 + (one + random.nextInt(EVENTS - 1)) % EVENTS;

        journal.move(one, -1);
        journal.move(other, one);
        journal.move(-1, other);

        assertThat(journal.verify().found())
            .describedAs("round %d: %d and %d", round, one, other)
            .extracting(VerificationReport.Found::finding)
            .contains(
                new VerificationFinding.Reordered(one, other),
                new VerificationFinding.Reordered(other, one));
        journal.restore();
      }
    }
  }

  @Test
  void aTruncatedTailIsFound() throws SQLException {
    try (TamperedJournal journal = new TamperedJournal(directory)) {
      for (int left = 0; left < EVENTS; left += Proof.rounds(4, 1)) {
        journal.execute("DELETE FROM journal WHERE position > " + left);
        journal.execute("DELETE FROM journal_tag WHERE position > " + left);
        journal.execute("DELETE FROM journal_checkpoint WHERE size > " + left);

        assertThat(journal.verify().found())
            .describedAs("the first %d left", left)
            .extracting(VerificationReport.Found::finding)
            .contains(new VerificationFinding.Truncated(left, EVENTS, "the right edge"));
        journal.restore();
      }
    }
  }

  /** A value in a table; {@code key} is the number that identifies its row. */
  private record Cell(String table, String column, long key, String where) {}

  /** A closed journal, edited by an administrator of its database. */
  private static final class TamperedJournal implements AutoCloseable {
    private final JournalSettings settings;
    private final VerifierKey key;
    private final Connection admin;

    TamperedJournal(Path directory) throws SQLException {
      settings = Journals.shared(directory);
      JournalSettings frequentCheckpoints =
          Journals.withCheckpoints(settings, 5, settings.limits().checkpointMillisMax());
      try (Journal journal = Journals.opened(frequentCheckpoints)) {
        for (int i = 0; i < EVENTS; i++) {
          Journals.append(
              journal,
              Journals.draft("{\"n\":%d}".formatted(i), new Tag("call", Integer.toString(i / 3))));
        }
        key = journal.verifier();
      }
      admin = Journals.administrator((SharedLocation) settings.location());
      for (String table : TABLES) {
        execute("CREATE TABLE %s_copy AS SELECT * FROM %s".formatted(table, table));
      }
    }

    VerificationReport verify() {
      JournalSnapshot.TakeResult takeResult = JournalSnapshot.take(settings);
      assertThat(takeResult).isInstanceOf(JournalSnapshot.TakeResult.Taken.class);
      try (JournalSnapshot journalSnapshot =
          ((JournalSnapshot.TakeResult.Taken) takeResult).snapshot()) {
        return new Verification(List.of(key), VerificationLimits.DEFAULT)
            .verify(journalSnapshot, List.of(), new VerificationScope(true, 1));
      }
    }

    Cell anyCell(String table, Random random) throws SQLException {
      try (ResultSet rows =
          admin.createStatement().executeQuery("SELECT * FROM " + table + " ORDER BY 1, 2")) {
        List<Cell> cells = new ArrayList<>();
        while (rows.next()) {
          cells.addAll(cells(table, rows));
        }
        return cells.get(random.nextInt(cells.size()));
      }
    }

    private static List<Cell> cells(String table, ResultSet row) throws SQLException {
      boolean isTag = table.equals("journal_tag");
      long key = row.getLong(isTag ? 2 : 1);
      String where =
          isTag
              ? "tag = '%s' AND position = %d".formatted(row.getString(1), key)
              : "%s = %d".formatted(row.getMetaData().getColumnName(1), key);
      List<Cell> cells = new ArrayList<>();
      for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
        String column = row.getMetaData().getColumnName(i).toLowerCase(Locale.ROOT);
        if (!column.equals("one")) { // a constraint of the database fixes it to 1
          cells.add(new Cell(table, column, key, where));
        }
      }
      return cells;
    }

    String change(Cell cell, Random random) throws SQLException {
      Object changed = changed(value(cell), random);
      try (PreparedStatement update =
          admin.prepareStatement(
              "UPDATE %s SET %s = ? WHERE %s"
                  .formatted(cell.table(), cell.column(), cell.where()))) {
        update.setObject(1, changed);
        assertThat(update.executeUpdate()).isEqualTo(1);
      }
      return cell.toString();
    }

    private Object value(Cell cell) throws SQLException {
      try (ResultSet row =
          admin
              .createStatement()
              .executeQuery(
                  "SELECT %s FROM %s WHERE %s"
                      .formatted(cell.column(), cell.table(), cell.where()))) {
        row.next();
        return row.getObject(1);
      }
    }

    private static Object changed(Object old, Random random) {
      return switch (old) {
        case Long number -> number + (random.nextBoolean() ? 1_000 : -1_000);
        case byte[] bytes -> flipped(bytes, random);
        case String text -> changed(text, random);
        default -> throw new AssertionError(old.getClass());
      };
    }

    private static byte[] flipped(byte[] bytes, Random random) {
      byte[] flipped = Arrays.copyOf(bytes, Math.max(1, bytes.length));
      flipped[random.nextInt(flipped.length)] ^= (byte) (1 << random.nextInt(8));
      return flipped;
    }

    private static String changed(String text, Random random) {
      if (text.isEmpty()) {
        return "x";
      }
      int at = random.nextInt(text.length());
      char other = text.charAt(at) == 'x' ? 'y' : 'x';
      return text.substring(0, at) + other + text.substring(at + 1);
    }

    void move(long from, long to) throws SQLException {
      execute("UPDATE journal SET position = %d WHERE position = %d".formatted(to, from));
    }

    void restore() throws SQLException {
      for (String table : TABLES) {
        execute("DELETE FROM " + table);
        execute("INSERT INTO %s SELECT * FROM %s_copy".formatted(table, table));
      }
    }

    void execute(String sql) throws SQLException {
      try (var statement = admin.createStatement()) {
        statement.execute(sql);
      }
    }

    @Override
    public void close() throws SQLException {
      admin.close();
    }
  }
}
