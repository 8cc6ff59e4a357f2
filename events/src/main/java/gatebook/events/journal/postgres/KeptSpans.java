package gatebook.events.journal.postgres;

import gatebook.events.journal.TrustEvents;
import gatebook.events.journal.drop.RecordedDrop;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The spans of a partition that are kept as rows when its other events go to the archive.
 *
 * <p>Each verification needs them before it trusts a stamp: the events that change the trust in the
 * journal, each with those up to the next checkpoint, which is the first one under the new trust,
 * and the events that drop others for good.
 */
record KeptSpans(JournalPartition partition, List<Span> spans) {
  /** The next checkpoint may be over later events than those of its transaction. */
  private static final long EVENTS_BEFORE = 10_000;

  private static final String NAMES =
      Stream.concat(TrustEvents.NAMES.stream(), Stream.of(RecordedDrop.EVENT_NAME))
          .collect(Collectors.joining(","));

  /** Consecutive positions. */
  record Span(long first, long last) {}

  /** An event that stays. */
  private record Statement(long position, String name) {}

  static KeptSpans of(Connection connection, JournalPartition partition) throws SQLException {
    List<Span> spans = new ArrayList<>();
    for (Statement each : statements(connection, partition)) {
      long last =
          each.name().equals(RecordedDrop.EVENT_NAME)
              ? each.position()
              : nextCheckpoint(connection, each.position());
      add(spans, Math.max(each.position(), partition.first()), Math.min(last, partition.last()));
    }
    return new KeptSpans(partition, List.copyOf(spans));
  }

  private static List<Statement> statements(Connection connection, JournalPartition partition)
      throws SQLException {
    return RowsCursor.all(
        connection,
        "SELECT DISTINCT position, name FROM (SELECT position, name FROM journal UNION ALL"
            + " SELECT position, name FROM journal_kept) AS j WHERE position >= ?"
            + " AND position <= ? AND name = ANY (string_to_array(?, ',')) ORDER BY position",
        row -> new Statement(row.getLong(1), row.getString(2)),
        partition.first() - EVENTS_BEFORE,
        partition.last(),
        NAMES);
  }

  private static long nextCheckpoint(Connection connection, long position) throws SQLException {
    return RowsCursor.first(
            connection,
            "SELECT size FROM journal_checkpoint WHERE size >= ? ORDER BY size LIMIT 1",
            row -> row.getLong(1),
            position)
        .orElse(Long.MAX_VALUE);
  }

  private static void add(List<Span> spans, long first, long last) {
    if (first > last) {
      return;
    }
    if (!spans.isEmpty() && spans.getLast().last() >= first - 1) {
      Span before = spans.removeLast();
      spans.add(new Span(before.first(), Math.max(before.last(), last)));
    } else {
      spans.add(new Span(first, last));
    }
  }

  /** The first position that neither stays nor is in the archive; empty when there is none. */
  Optional<Long> firstMissing(Connection connection) throws SQLException {
    RowAccess rows = new RowAccess.Single(connection);
    long from = partition.first();
    while (from <= partition.last()) {
      ArchivedRange range = StoredEntries.next(rows, from - 1, from);
      Optional<Span> span = at(from);
      if (range == null && span.isEmpty()) {
        return Optional.of(from);
      }
      from = (range == null ? span.orElseThrow().last() : range.last()) + 1;
    }
    return Optional.empty();
  }

  private Optional<Span> at(long position) {
    return spans.stream().filter(it -> it.first() <= position && position <= it.last()).findFirst();
  }

  /** The last position that goes to the archive with one that goes there. */
  long lastWith(long position) {
    return spans.stream()
        .mapToLong(Span::first)
        .filter(first -> first > position)
        .map(first -> first - 1)
        .findFirst()
        .orElse(partition.last());
  }

  /** Copies the rows that stay to where they are found without the partition. */
  void keep(Connection connection) throws SQLException, IOException {
    for (Span span : spans) {
      try (PreparedStatement insert =
          connection.prepareStatement(
              "INSERT INTO journal_kept"
                  + " (position, id, name, version, at, node, tags, payload, metadata, leaf)"
                  + " SELECT position, id, name, version, at, node, tags, payload, metadata, leaf"
                  + " FROM journal WHERE position >= ? AND position <= ?"
                  + " ON CONFLICT (position) DO NOTHING")) {
        insert.setLong(1, span.first());
        insert.setLong(2, span.last());
        insert.executeUpdate();
      }
      long kept =
          RowsCursor.first(
                  connection,
                  "SELECT COUNT(*) FROM journal_kept WHERE position >= ? AND position <= ?",
                  row -> row.getLong(1),
                  span.first(),
                  span.last())
              .orElse(0L);
      if (kept <= span.last() - span.first()) {
        throw new IOException(
            "events %d to %d are not all there: verify the journal"
                .formatted(span.first(), span.last()));
      }
    }
  }

  /** Removes the checkpoints that the archive has. */
  void removeCheckpoints(Connection connection) throws SQLException {
    // the first event's segment also has the checkpoint over none
    long next = partition.first() == 1 && at(1).isEmpty() ? 0 : partition.first();
    for (Span span : spans) {
      removeCheckpoints(connection, next, span.first() - 1);
      next = span.last() + 1;
    }
    removeCheckpoints(connection, next, partition.last());
  }

  private static void removeCheckpoints(Connection connection, long first, long last)
      throws SQLException {
    try (PreparedStatement delete =
        connection.prepareStatement(
            "DELETE FROM journal_checkpoint WHERE size >= ? AND size <= ?")) {
      delete.setLong(1, first);
      delete.setLong(2, last);
      delete.executeUpdate();
    }
  }
}
