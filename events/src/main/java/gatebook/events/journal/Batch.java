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
final class Batch {
  private static final int PAGE = 500;

  private record Answer(Request request, Append append) {}

  private final Session session;
  private final Recent recent;
  private final LeafHasher hasher;
  private final RightEdge edge;
  private final List<Entry> entries = new ArrayList<>();
  private final List<Answer> answers = new ArrayList<>();

  private Batch(Session session, Recent recent, LeafHasher hasher, RightEdge edge) {
    this.session = session;
    this.recent = recent;
    this.hasher = hasher;
    this.edge = edge;
  }

  /** Starts a transaction and puts into it what stands. */
  static Batch write(List<Request> requests, Session session, Recent recent, LeafHasher hasher)
      throws SQLException {
    Batch batch = new Batch(session, recent, hasher, session.lockEdge());
    recent.alignWith(batch.edge.size());
    for (Request request : requests) {
      batch.judge(request);
    }
    if (!batch.entries.isEmpty()) {
      session.insert(batch.entries);
      session.moveEdge(batch.edge);
    }
    return batch;
  }

  private void judge(Request request) throws SQLException {
    if (contradicted(request.condition())) {
      answers.add(new Answer(request, new Append.Conflict(request.condition())));
      return;
    }
    long first = edge.size() + 1;
    request.drafts().forEach(draft -> place(draft, request.node()));
    answers.add(new Answer(request, new Append.Stored(first, edge.size())));
  }

  private boolean contradicted(Condition condition) throws SQLException {
    return recent.contradicts(condition) || contradictedBefore(condition, recent.floor());
  }

  /** Asks the database about what the memory does not reach back to. */
  private boolean contradictedBefore(Condition condition, long upTo) throws SQLException {
    Selection selection = Selection.of(condition.criteria());
    long after = condition.after();
    while (after < upTo) {
      List<Entry> page = session.read(selection, after, upTo, PAGE);
      for (Entry entry : page) {
        if (condition.matches(entry.name(), entry.tagSet())) {
          return true;
        }
      }
      after = page.size() < PAGE ? upTo : page.getLast().position();
    }
    return false;
  }

  private void place(Draft draft, String node) {
    Entry entry = draft.at(edge.size() + 1, node);
    entry = entry.withLeaf(hasher.leaf(entry));
    edge.append(entry.leaf());
    recent.add(entry.position(), draft.name(), draft.tags());
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
