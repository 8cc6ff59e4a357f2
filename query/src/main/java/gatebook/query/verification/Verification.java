package gatebook.query.verification;

import gatebook.events.journal.Cursor;
import gatebook.events.journal.Entry;
import gatebook.events.journal.Snapshot;
import gatebook.events.journal.Snapshot.IndexedTag;
import gatebook.events.journal.StoredCheckpoint;
import gatebook.events.journal.checkpoint.VerifierKey;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Recomputes the whole journal from its rows, and finds every edit, made by somebody without the
 * signing key, of what a checkpoint covers.
 *
 * <p>It needs the public keys only, and memory for its limits only, however long the journal is.
 * Nothing stored is believed: what is signed is believed of the tree, and of nothing else.
 *
 * <p>Not found, because nothing is left that could disagree: events after the newest checkpoint
 * that were cut off together with the edge, the index and the checkpoint, or changed with their
 * leaves and the edge; and whatever the owner of the key did, unless a checkpoint was kept
 * elsewhere.
 */
public final class Verification {
  /** The newest acceptances are enough: each covers all before it. */
  private static final int ACCEPTANCES_MAX = 1_000;

  private final List<VerifierKey> trusted;
  private final Limits limits;

  public Verification(List<VerifierKey> trusted, Limits limits) {
    this.trusted = List.copyOf(trusted);
    this.limits = limits;
  }

  /** Reads all of the snapshot, which stays open. */
  public Report verify(Snapshot snapshot, List<KeptElsewhere> against) {
    return verify(new SnapshotRows(snapshot), against);
  }

  Report verify(Rows rows, List<KeptElsewhere> against) {
    List<Acceptance> candidates = candidates(rows);
    Findings findings = new Findings(limits.findingsMax(), candidates);
    duplicates(rows, findings);
    try (Cursor<StoredCheckpoint> checkpoints = rows.checkpoints();
        Cursor<IndexedTag> index = rows.tagIndex();
        Cursor<Entry> events = rows.events()) {
      Pass pass =
          new Pass(
              rows,
              new Checkpoints(checkpoints, trusted, findings),
              new IndexCheck(index, findings),
              findings,
              limits);
      pass.expect(candidates, against);
      for (Entry event = events.next(); event != null; event = events.next()) {
        pass.row(event);
      }
      return pass.end();
    }
  }

  private static List<Acceptance> candidates(Rows rows) {
    Deque<Acceptance> newest = new ArrayDeque<>();
    try (Cursor<Entry> events = rows.eventsNamed(Acceptance.EVENT_NAME)) {
      for (Entry event = events.next(); event != null; event = events.next()) {
        Acceptance.of(event).ifPresent(newest::addLast);
        if (newest.size() > ACCEPTANCES_MAX) {
          newest.removeFirst();
        }
      }
    }
    return List.copyOf(newest);
  }

  private static void duplicates(Rows rows, Findings findings) {
    try (Cursor<Snapshot.Id> ids = rows.ids()) {
      Snapshot.Id first = ids.next();
      for (Snapshot.Id id = first; id != null && first != null; id = ids.next()) {
        if (!id.id().equals(first.id())) {
          first = id;
        } else if (id.position() != first.position()) {
          findings.add(new Finding.Duplicate(id.position(), first.position(), id.id()));
        }
      }
    }
  }
}
