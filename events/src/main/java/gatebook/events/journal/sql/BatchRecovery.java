package gatebook.events.journal.sql;

import gatebook.events.journal.CommittedBatch;
import gatebook.events.journal.StoredCheckpoint;
import gatebook.events.journal.tree.RightEdge;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** Recovers committed batches after a crash: adds to a database those that it lacks. */
public final class BatchRecovery {
  private BatchRecovery() {}

  /**
   * Adds the batches that follow what the database holds; the caller commits.
   *
   * @return whether the database then holds the events of all batches
   */
  public static boolean addMissing(
      Database database, Connection connection, List<CommittedBatch> batches) throws SQLException {
    RowSession rowSession = new RowSession(database, connection);
    Optional<RightEdge> edge = rowSession.tryLockEdge();
    return edge.isPresent() && addMissing(batches, rowSession, edge.get());
  }

  private static boolean addMissing(
      List<CommittedBatch> batches, RowSession rowSession, RightEdge edge) throws SQLException {
    StoredCheckpoint newest = rowSession.newestCheckpoint();
    Held held = new Held(edge.size(), newest == null ? 0 : newest.number());
    for (CommittedBatch batch : batches) {
      if (held.isFollowedBy(batch)) {
        add(batch, rowSession, edge);
        held = held.with(batch);
      }
    }
    rowSession.moveEdge(edge);
    Held all = held;
    return batches.stream().noneMatch(all::lacks);
  }

  private static void add(CommittedBatch batch, RowSession rowSession, RightEdge edge)
      throws SQLException {
    if (!batch.entries().isEmpty()) {
      batch.entries().forEach(entry -> edge.append(entry.leaf()));
      rowSession.insert(batch.entries());
    }
    if (batch.checkpoint() != null) {
      rowSession.insertCheckpoint(batch.checkpoint());
    }
  }

  /**
   * How far the database reaches. A database older than the first batch lacks events that no batch
   * has: then no batch follows, the check at start reports what is missing, and the batches are
   * kept.
   */
  private record Held(long position, long checkpoint) {
    boolean isFollowedBy(CommittedBatch batch) {
      return batch.entries().isEmpty()
          ? batch.checkpoint() != null
              && batch.checkpoint().number() == checkpoint + 1
              && batch.checkpoint().size() == position
          : batch.entries().getFirst().position() == position + 1;
    }

    boolean lacks(CommittedBatch batch) {
      return !batch.entries().isEmpty() && batch.entries().getLast().position() > position;
    }

    Held with(CommittedBatch batch) {
      return new Held(
          position + batch.entries().size(),
          batch.checkpoint() == null ? checkpoint : batch.checkpoint().number());
    }
  }
}
