package gatebook.events.journal;

import gatebook.events.journal.AppendQueue.Request;
import gatebook.events.journal.tree.LeafHasher;
import gatebook.events.journal.tree.RightEdge;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * One transaction's worth of appends: which of them stand, under which positions, and what the tree
 * is afterwards.
 *
 * <p>An answer given here counts only once the transaction is durable, also the answer that there
 * was a conflict: it may be a conflict with an event of the same batch.
 */
final class AppendBatch {
  private static final int PAGE = 500;

  private record Answer(Request request, Append append) {}

  private final WriterSession writerSession;
  private final RecentEvents recentEvents;
  private final LeafHasher hasher;
  private final RightEdge edge;
  private final List<Entry> entries = new ArrayList<>();
  private final List<Answer> answers = new ArrayList<>();

  private AppendBatch(
      WriterSession writerSession, RecentEvents recentEvents, LeafHasher hasher, RightEdge edge) {
    this.writerSession = writerSession;
    this.recentEvents = recentEvents;
    this.hasher = hasher;
    this.edge = edge;
  }

  /** Starts a transaction and puts into it what stands. */
  static AppendBatch write(
      List<Request> requests,
      WriterSession writerSession,
      RecentEvents recentEvents,
      LeafHasher hasher)
      throws SQLException {
    AppendBatch appendBatch =
        new AppendBatch(writerSession, recentEvents, hasher, writerSession.lockEdge());
    recentEvents.alignWith(appendBatch.edge.size());
    for (Request request : requests) {
      appendBatch.judge(request);
    }
    if (!appendBatch.entries.isEmpty()) {
      writerSession.insert(appendBatch.entries);
      writerSession.moveEdge(appendBatch.edge);
    }
    return appendBatch;
  }

  private void judge(Request request) throws SQLException {
    if (contradicted(request.condition())) {
      answers.add(new Answer(request, new Append.Conflict(request.condition())));
      return;
    }
    long first = edge.size() + 1;
    request.drafts().forEach(draftEvent -> place(draftEvent, request.node()));
    answers.add(new Answer(request, new Append.Stored(first, edge.size())));
  }

  private boolean contradicted(ConflictCondition conflictCondition) throws SQLException {
    return recentEvents.contradicts(conflictCondition)
        || contradictedBefore(conflictCondition, recentEvents.floor());
  }

  /** Asks the database about what the memory does not reach back to. */
  private boolean contradictedBefore(ConflictCondition conflictCondition, long upTo)
      throws SQLException {
    RowSelection rowSelection = RowSelection.of(conflictCondition.criteria());
    long after = conflictCondition.after();
    while (after < upTo) {
      List<Entry> page = writerSession.read(rowSelection, after, upTo, PAGE);
      for (Entry entry : page) {
        if (conflictCondition.matches(entry.name(), entry.tagSet())) {
          return true;
        }
      }
      after = page.size() < PAGE ? upTo : page.getLast().position();
    }
    return false;
  }

  private void place(DraftEvent draftEvent, String node) {
    Entry entry = draftEvent.at(edge.size() + 1, node);
    entry = entry.withLeaf(hasher.leaf(entry));
    edge.append(entry.leaf());
    recentEvents.add(entry.position(), draftEvent.name(), draftEvent.tags());
    entries.add(entry);
  }

  RightEdge edge() {
    return edge;
  }

  List<Entry> entries() {
    return entries;
  }

  int conflicts() {
    return (int) answers.stream().filter(a -> a.append() instanceof Append.Conflict).count();
  }

  void answer() {
    answers.forEach(answer -> answer.request().answer().complete(answer.append()));
  }
}
