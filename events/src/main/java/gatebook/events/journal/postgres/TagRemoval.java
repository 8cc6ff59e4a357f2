package gatebook.events.journal.postgres;

import gatebook.events.journal.storage.DroppableEvents.OldestRange;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalSnapshot.IndexedTag;
import gatebook.events.journal.storage.TagText;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongPredicate;

/**
 * Removes the dropped events of a range from the tag index. A line is cut where only some of its
 * events go.
 */
record TagRemoval(Connection connection, OldestRange range, LongPredicate isKept) {
  private static final int PAGE = 500;

  private boolean stays(long position) {
    return position < range.from() || position > range.to() || isKept.test(position);
  }

  /** Removes those of which there are rows in the journal, some in each transaction. */
  void removeRows() throws SQLException {
    List<Entry> page = rowsAfter(range.from() - 1);
    while (!page.isEmpty()) {
      connection.setAutoCommit(false);
      try {
        remove(page);
        connection.commit();
      } finally {
        connection.rollback();
        connection.setAutoCommit(true);
      }
      page = rowsAfter(page.getLast().position());
    }
  }

  private List<Entry> rowsAfter(long after) throws SQLException {
    return EntryReader.JOURNAL.range(connection, after, range.to(), PAGE);
  }

  /** Removes those of consecutive events that do not stay. */
  void remove(List<Entry> entries) throws SQLException {
    Set<String> tags = new TreeSet<>();
    entries.stream()
        .filter(entry -> !stays(entry.position()))
        .forEach(entry -> tags.addAll(TagText.lines(entry.tags())));
    if (tags.isEmpty()) {
      return;
    }
    List<IndexedTag> removed = new ArrayList<>();
    List<IndexedTag> added = new ArrayList<>();
    for (IndexedTag line :
        RowsCursor.all(
            connection,
            "SELECT tag, position, last FROM journal_tag"
                + " WHERE tag = ANY (?) AND position > ? AND position <= ? AND last >= ?",
            row -> new IndexedTag(row.getString(1), row.getLong(2), row.getLong(3)),
            connection.createArrayOf("text", tags.toArray()),
            entries.getFirst().position() - IndexedTag.EVENTS_MAX,
            entries.getLast().position(),
            entries.getFirst().position())) {
      List<IndexedTag> left = left(line);
      if (!left.equals(List.of(line))) {
        removed.add(line);
        added.addAll(left);
      }
    }
    write(
        "DELETE FROM journal_tag t USING unnest(?::text[], ?::bigint[], ?::bigint[])"
            + " AS line (tag, position, last)"
            + " WHERE t.tag = line.tag AND t.position = line.position",
        removed);
    write(
        "INSERT INTO journal_tag (tag, position, last)"
            + " SELECT * FROM unnest(?::text[], ?::bigint[], ?::bigint[])",
        added);
  }

  private List<IndexedTag> left(IndexedTag line) {
    List<IndexedTag> left = new ArrayList<>();
    for (long at = line.first(); at <= line.last(); at++) {
      if (stays(at)) {
        long first = at;
        while (at < line.last() && stays(at + 1)) {
          at++;
        }
        left.add(new IndexedTag(line.tag(), first, at));
      }
    }
    return left;
  }

  private void write(String sql, List<IndexedTag> lines) throws SQLException {
    if (lines.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setArray(1, array("text", lines.stream().map(IndexedTag::tag).toArray()));
      statement.setArray(2, array("bigint", lines.stream().map(IndexedTag::first).toArray()));
      statement.setArray(3, array("bigint", lines.stream().map(IndexedTag::last).toArray()));
      statement.executeUpdate();
    }
  }

  private java.sql.Array array(String type, Object[] values) throws SQLException {
    return connection.createArrayOf(type, values);
  }
}
