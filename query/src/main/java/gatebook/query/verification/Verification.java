package gatebook.query.verification;

import gatebook.events.journal.Entry;
import gatebook.events.journal.JournalSnapshot;
import gatebook.events.journal.JournalSnapshot.IndexedTag;
import gatebook.events.journal.RowCursor;
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
  private final VerificationLimits verificationLimits;

  public Verification(List<VerifierKey> trusted, VerificationLimits verificationLimits) {
    this.trusted = List.copyOf(trusted);
    this.verificationLimits = verificationLimits;
  }

  /** Reads all of the snapshot, which stays open. */
  public VerificationReport verify(
      JournalSnapshot journalSnapshot, List<ExternalCheckpoint> against) {
    return verify(new SnapshotRows(journalSnapshot), against);
  }

  VerificationReport verify(JournalRows journalRows, List<ExternalCheckpoint> against) {
    List<AcceptedMismatch> candidates = candidates(journalRows);
    FindingCollector findingCollector =
        new FindingCollector(verificationLimits.findingsMax(), candidates);
    duplicates(journalRows, findingCollector);
    try (RowCursor<StoredCheckpoint> checkpoints = journalRows.checkpoints();
        RowCursor<IndexedTag> index = journalRows.tagIndex();
        RowCursor<Entry> events = journalRows.events()) {
      VerificationPass verificationPass =
          new VerificationPass(
              journalRows,
              new CheckpointCheck(checkpoints, trusted, findingCollector),
              new TagIndexCheck(index, findingCollector),
              findingCollector,
              verificationLimits);
      verificationPass.expect(candidates, against);
      for (Entry event = events.next(); event != null; event = events.next()) {
        verificationPass.row(event);
      }
      return verificationPass.end();
    }
  }

  private static List<AcceptedMismatch> candidates(JournalRows journalRows) {
    Deque<AcceptedMismatch> newest = new ArrayDeque<>();
    try (RowCursor<Entry> events = journalRows.eventsNamed(AcceptedMismatch.EVENT_NAME)) {
      for (Entry event = events.next(); event != null; event = events.next()) {
        AcceptedMismatch.of(event).ifPresent(newest::addLast);
        if (newest.size() > ACCEPTANCES_MAX) {
          newest.removeFirst();
        }
      }
    }
    return List.copyOf(newest);
  }

  private static void duplicates(JournalRows journalRows, FindingCollector findingCollector) {
    try (RowCursor<JournalSnapshot.Id> ids = journalRows.ids()) {
      JournalSnapshot.Id first = ids.next();
      for (JournalSnapshot.Id id = first; id != null && first != null; id = ids.next()) {
        if (!id.id().equals(first.id())) {
          first = id;
        } else if (id.position() != first.position()) {
          findingCollector.add(
              new VerificationFinding.Duplicate(id.position(), first.position(), id.id()));
        }
      }
    }
  }
}
