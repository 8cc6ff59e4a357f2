package gatebook.events.journal;

import gatebook.events.journal.postgres.SharedLocation;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Edits the rows of a journal in its database. */
record RowEditor(SharedLocation location) implements JournalEditor {
  @Override
  public void deleteEvents(long... positions) {
    for (long position : positions) {
      execute("DELETE FROM journal WHERE position = " + position);
    }
  }

  @Override
  public void deleteEverything() {
    execute("DELETE FROM journal_checkpoint");
    execute("DELETE FROM journal");
    execute("DELETE FROM journal_tag");
    execute("UPDATE journal_edge SET size = 0, hashes = ''");
  }

  @Override
  public void rename(long position, String name) {
    execute("UPDATE journal SET name = '%s' WHERE position = %d".formatted(name, position));
  }

  @Override
  public void deleteCheckpointsAfter(long number) {
    execute("DELETE FROM journal_checkpoint WHERE number > " + number);
  }

  void execute(String sql) {
    try (Connection connection = Journals.administrator(location);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }
}
