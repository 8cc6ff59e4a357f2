package gatebook.events.journal;

import gatebook.events.journal.AppendQueue.Request;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.EntrySelection;
import gatebook.events.journal.storage.StorageFailure;
import gatebook.events.journal.storage.StorageWriter;
import gatebook.events.journal.tree.LeafHasher;
import gatebook.events.journal.tree.RightEdge;
import java.util.ArrayList;
import java.util.List;

/**
 * The batch of appends in one transaction: which of them are stored, under which positions, and the
 * tree afterwards.
 *
 * <p>A result counts only once the transaction is durable, even the result that there was a
 * conflict: it may be with an event of the same batch.
 */
final class AppendBatch {
  private static final int PAGE = 500;

  private record Result(Request request, Append append) {}

  private final StorageWriter storageWriter;
  private final RecentEvents recentEvents;
  private final LeafHasher hasher;
  private final RightEdge edge;
  private final List<Entry> entries = new ArrayList<>();
  private final List<Result> results = new ArrayList<>();
  private int conflicts;

  private AppendBatch(
      StorageWriter storageWriter, RecentEvents recentEvents, LeafHasher hasher, RightEdge edge) {
    this.storageWriter = storageWriter;
    this.recentEvents = recentEvents;
    this.hasher = hasher;
    this.edge = edge;
  }

  /** Starts a transaction and adds every append that does not conflict. */
  static AppendBatch write(
      List<Request> requests,
      StorageWriter storageWriter,
      RecentEvents recentEvents,
      LeafHasher hasher)
      throws StorageFailure {
    AppendBatch appendBatch =
        new AppendBatch(storageWriter, recentEvents, hasher, storageWriter.expectEdge());
    recentEvents.alignWith(appendBatch.edge.size());
    for (Request request : requests) {
      appendBatch.process(request);
    }
    if (!appendBatch.entries.isEmpty()) {
      storageWriter.insert(appendBatch.entries);
      storageWriter.moveEdge(appendBatch.edge);
    }
    return appendBatch;
  }

  private void process(Request request) throws StorageFailure {
    if (conflicts(request.condition())) {
      conflicts++;
      results.add(new Result(request, new Append.Conflict(request.condition())));
      return;
    }
    long first = edge.size() + 1;
    for (DraftEvent draftEvent : request.drafts()) {
      add(draftEvent, request.node());
    }
    results.add(new Result(request, new Append.Stored(first, edge.size())));
  }

  private boolean conflicts(ConflictCondition conflictCondition) throws StorageFailure {
    return recentEvents.conflictsWith(conflictCondition)
        || conflictsInDatabase(conflictCondition, recentEvents.floor());
  }

  /** Reads the storage for events older than those in memory. */
  private boolean conflictsInDatabase(ConflictCondition conflictCondition, long upTo)
      throws StorageFailure {
    EntrySelection entrySelection = EntrySelection.of(conflictCondition.criteria());
    long after = conflictCondition.after();
    while (after < upTo) {
      List<Entry> page = storageWriter.read(entrySelection, after, upTo, PAGE);
      for (Entry entry : page) {
        if (conflictCondition.matches(entry.name(), entry.tagSet())) {
          return true;
        }
      }
      after = page.size() < PAGE ? upTo : page.getLast().position();
    }
    return false;
  }

  private void add(DraftEvent draftEvent, String node) {
    Entry entry = draftEvent.toEntry(edge.size() + 1, node);
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
    return conflicts;
  }

  void completeRequests() {
    results.forEach(result -> result.request().result().complete(result.append()));
  }
}
