package gatebook.events.journal.postgres;

import gatebook.events.journal.segment.file.Segments;
import gatebook.events.journal.storage.DroppableEvents.OldestRange;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.EntrySelection;
import gatebook.events.journal.storage.StoredCheckpoint;
import gatebook.events.journal.tree.LeafHasher;
import gatebook.events.journal.tree.RightEdge;
import gatebook.events.journal.tree.Sha256;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;

/**
 * Drops a range of events: what is kept gets rows beside the journal, the leaves of all stay, and
 * the checkpoints are what they were. The rows of the journal, and what the archive has, are not
 * read any longer then.
 *
 * <p>While a transaction lasts, old versions of rows stay that appends change, and each append
 * passes over them. So the range is read and checked before the one transaction that drops it. Of a
 * range of rows what is kept is copied before, too, and the tag index is left to {@link
 * TagRemoval#removeRows}. Of one in the archive, which is a segment, the transaction does both.
 *
 * @param connection in auto-commit; no other process drops or moves events at the same time
 */
record RowDrop(
    Connection connection, ArchivedRows archived, OldestRange range, LongPredicate isKept) {
  private static final int PAGE = 500;

  /** Leaves in a row. */
  private static final int LEAVES = 100_000;

  /** Throws if the events are not those that are to be dropped; then all is as it was. */
  void run() throws SQLException, IOException {
    requireSigned();
    boolean hasRows = hasRows() && archivedRanges().isEmpty();
    if (hasRows) {
      copyKept();
    }
    connection.setAutoCommit(false);
    try {
      removeOthers();
      if (!hasRows) {
        copyKept();
        removeTags();
      }
      keepCheckpoints();
      keepLeaves();
      connection.commit();
    } finally {
      connection.rollback();
      connection.setAutoCommit(true);
    }
  }

  /** A use of some consecutive entries. */
  @FunctionalInterface
  private interface PageUse {
    void of(List<Entry> page) throws SQLException, IOException;
  }

  private void forEachPage(PageUse use) throws SQLException, IOException {
    StoredEntries reader = new StoredEntries(archived);
    RowAccess rows = new RowAccess.Single(connection);
    for (long after = range.from() - 1; after < range.to(); after += PAGE) {
      long to = Math.min(range.to(), after + PAGE);
      use.of(reader.read(rows, new EntrySelection.Everything(), after, to, PAGE));
    }
  }

  private void requireSigned() throws SQLException, IOException {
    RightEdge edge = EdgeReader.before(connection, range.from());
    Instant[] newestAt = {Instant.MIN};
    forEachPage(page -> {
      long to = Math.min(range.to(), edge.size() + PAGE);
      append(edge, page, StoredEntries.leaves(connection, edge.size(), to));
      for (Entry entry : page) {
        Instant at = Instant.parse(entry.at());
        newestAt[0] = at.isAfter(newestAt[0]) ? at : newestAt[0];
      }
    });
    if (!Arrays.equals(edge.root(), range.root())
        || !newestAt[0].equals(range.newestAt())
        || !isSigned(edge)) {
      throw changed();
    }
  }

  /** Whether the events are rows of the journal, all of them. */
  private boolean hasRows() throws SQLException {
    return EntryReader.JOURNAL.firstAfter(connection, range.from() - 1) == range.from()
        && EntryReader.JOURNAL.firstAfter(connection, range.to() - 1) == range.to();
  }

  private void removeTags() throws SQLException, IOException {
    TagRemoval tags = new TagRemoval(connection, range, isKept);
    forEachPage(tags::remove);
  }

  /** Appends the leaves of entries, which are those that are stored. */
  private void append(RightEdge edge, List<Entry> page, List<byte[]> leaves) throws IOException {
    LeafHasher hasher = new LeafHasher();
    if (page.size() != leaves.size()) {
      throw changed();
    }
    for (int i = 0; i < page.size(); i++) {
      byte[] leaf = hasher.leaf(page.get(i));
      if (page.get(i).position() != edge.size() + 1 || !Arrays.equals(leaf, leaves.get(i))) {
        throw changed();
      }
      edge.append(leaf);
    }
  }

  /** Whether the next checkpoint is over these events, as far as it is stored among the next. */
  private boolean isSigned(RightEdge end) throws SQLException {
    Optional<StoredCheckpoint> next =
        RowsCursor.first(
            connection,
            "SELECT number, size, note, hashes FROM journal_checkpoint"
                + " WHERE size >= ? AND size <= ? ORDER BY size, number LIMIT 1",
            CheckpointReader::of,
            range.to(),
            range.to() + LEAVES);
    if (next.isEmpty()) {
      return true;
    }
    RightEdge edge = end.copy();
    StoredEntries.leaves(connection, edge.size(), next.get().size()).forEach(edge::append);
    return Arrays.equals(edge.bytes(), next.get().hashes());
  }

  private IOException changed() {
    return new IOException(
        "events %d to %d are not what was signed, and are not dropped: verify the journal"
            .formatted(range.from(), range.to()));
  }

  /** Until the others are dropped, these are where they were, too. */
  private void copyKept() throws SQLException, IOException {
    forEachPage(page -> {
      if (page.stream().anyMatch(entry -> isKept.test(entry.position()))) {
        copyKept(page);
      }
    });
  }

  private void copyKept(List<Entry> page) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO journal_kept"
                + " (position, id, name, version, at, node, tags, payload, metadata, leaf)"
                + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (position) DO UPDATE SET"
                + " (id, name, version, at, node, tags, payload, metadata, leaf) = (excluded.id,"
                + " excluded.name, excluded.version, excluded.at, excluded.node, excluded.tags,"
                + " excluded.payload, excluded.metadata, excluded.leaf)")) {
      for (Entry entry : page) {
        if (isKept.test(entry.position())) {
          insert.setLong(1, entry.position());
          insert.setString(2, entry.id());
          insert.setString(3, entry.name());
          insert.setString(4, entry.version());
          insert.setString(5, entry.at());
          insert.setString(6, entry.node());
          insert.setString(7, entry.tags());
          insert.setBytes(8, entry.payload());
          insert.setBytes(9, entry.metadata());
          insert.setBytes(10, entry.leaf());
          insert.addBatch();
        }
      }
      insert.executeBatch();
    }
  }

  /** Others were beside the journal when the rest of their partition went to the archive. */
  private void removeOthers() throws SQLException {
    try (PreparedStatement delete =
        connection.prepareStatement(
            "DELETE FROM journal_kept WHERE position >= ? AND position <= ?"
                + " AND NOT position = ANY (?)")) {
      delete.setLong(1, range.from());
      delete.setLong(2, range.to());
      delete.setArray(
          3,
          connection.createArrayOf(
              "bigint",
              LongStream.rangeClosed(range.from(), range.to()).filter(isKept).boxed().toArray()));
      delete.executeUpdate();
    }
  }

  /** Those of archived events are in their segments. */
  private void keepCheckpoints() throws SQLException, IOException {
    for (ArchivedRange inArchive : archivedRanges()) {
      try (PreparedStatement insert =
          connection.prepareStatement(
              "INSERT INTO journal_checkpoint (number, size, note, hashes) VALUES (?, ?, ?, ?)"
                  + " ON CONFLICT (number) DO NOTHING")) {
        for (StoredCheckpoint it : archived.use(inArchive, Segments::checkpoints)) {
          insert.setLong(1, it.number());
          insert.setLong(2, it.size());
          insert.setString(3, it.note());
          insert.setBytes(4, it.hashes());
          insert.addBatch();
        }
        insert.executeBatch();
      }
    }
  }

  private List<ArchivedRange> archivedRanges() throws SQLException {
    return RowsCursor.all(
        connection,
        "SELECT "
            + ArchivedRange.COLUMNS
            + " FROM journal_archive a WHERE a.first >= ? AND a.last <= ? ORDER BY a.first",
        ArchivedRange::of,
        range.from(),
        range.to());
  }

  /** Those of archived events are in the database. */
  private void keepLeaves() throws SQLException {
    long next = range.from();
    for (ArchivedRange inArchive : archivedRanges()) {
      insertLeaves(next, inArchive.first() - 1);
      next = inArchive.last() + 1;
    }
    insertLeaves(next, range.to());
    try (PreparedStatement update =
        connection.prepareStatement(
            "UPDATE journal_archive SET dropped_from = ?, newest_at = ?, note = ''"
                + " WHERE first >= ? AND last <= ?")) {
      update.setLong(1, range.from());
      update.setString(2, range.newestAt().toString());
      update.setLong(3, range.from());
      update.setLong(4, range.to());
      update.executeUpdate();
    }
  }

  private void insertLeaves(long from, long to) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO journal_archive (first, last, newest_at, mark, leaves, note)"
                + " VALUES (?, ?, '', '', ?, '')")) {
      for (long first = from; first <= to; first += LEAVES) {
        long last = Math.min(to, first + LEAVES - 1);
        ByteArrayOutputStream leaves =
            new ByteArrayOutputStream((int) (last - first + 1) * Sha256.BYTES);
        StoredEntries.leaves(connection, first - 1, last).forEach(leaves::writeBytes);
        insert.setLong(1, first);
        insert.setLong(2, last);
        insert.setBytes(3, leaves.toByteArray());
        insert.executeUpdate();
      }
    }
  }
}
