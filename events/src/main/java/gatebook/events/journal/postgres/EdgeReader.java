package gatebook.events.journal.postgres;

import gatebook.events.journal.segment.file.SegmentHeader;
import gatebook.events.journal.tree.RightEdge;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/** Reads the right edge of the tree over the first events, as leaves and checkpoints say. */
final class EdgeReader {
  private static final int PAGE = 10_000;

  private EdgeReader() {}

  /**
   * The edge before the event at a position: from the newest checkpoint or archived segment before
   * it, and the leaves behind that.
   */
  static RightEdge before(Connection connection, long position) throws SQLException, IOException {
    RightEdge edge = ofCheckpoint(connection, position - 1);
    RightEdge ofArchive = ofArchive(connection, position);
    edge = ofArchive.size() > edge.size() ? ofArchive : edge;
    while (edge.size() < position - 1) {
      long upTo = Math.min(position - 1, edge.size() + PAGE);
      for (byte[] leaf : StoredEntries.leaves(connection, edge.size(), upTo)) {
        edge.append(leaf);
      }
    }
    return edge;
  }

  /** The edge of the newest checkpoint over at most so many events. */
  static RightEdge ofCheckpoint(Connection connection, long size) throws SQLException {
    return RowsCursor.first(
            connection,
            "SELECT number, size, note, hashes FROM journal_checkpoint WHERE size <= ?"
                + " ORDER BY size DESC, number DESC LIMIT 1",
            CheckpointReader::of,
            size)
        .flatMap(it -> RightEdge.restored(it.size(), it.hashes()))
        .orElseGet(RightEdge::new);
  }

  private static RightEdge ofArchive(Connection connection, long position)
      throws SQLException, IOException {
    Optional<ArchivedRange> before =
        RowsCursor.first(
            connection,
            "SELECT "
                + ArchivedRange.COLUMNS
                + " FROM journal_archive a WHERE a.last < ? AND a.dropped_from IS NULL"
                + " ORDER BY a.first DESC LIMIT 1",
            ArchivedRange::of,
            position);
    if (before.isEmpty()) {
      return new RightEdge();
    }
    Optional<SegmentHeader> header = before.get().readMark().segmentHeader();
    if (header.isEmpty()) {
      return new RightEdge();
    }
    RightEdge edge = header.get().edge().copy();
    edge.append(before.get().stamp().settled().leaves());
    return edge;
  }
}
