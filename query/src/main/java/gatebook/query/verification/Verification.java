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
 * Verifies a journal: recomputes it completely from its rows. It finds every edit of what a
 * checkpoint covers, if the edit was made without the signing key.
 *
 * <p>It needs the public keys only. Its limits bound its memory, however long the journal is.
 * Nothing stored is trusted except signatures, and these only confirm the tree.
 *
 * <p>Not found, because no stored data disagrees: events after the newest checkpoint that were
 * removed together with the edge, the index and the checkpoint, or changed with their leaves and
 * the edge; and edits by the owner of the key, unless a checkpoint was kept outside the journal.
 */
public final class Verification {
  /** How many of the newest acceptances are used; each covers everything before it. */
  private static final int ACCEPTANCES_MAX = 1_000;

  private final List<VerifierKey> trusted;
  private final VerificationLimits verificationLimits;

  public Verification(List<VerifierKey> trusted, VerificationLimits verificationLimits) {
    this.trusted = List.copyOf(trusted);
    this.verificationLimits = verificationLimits;
  }

  /** Verifies the whole snapshot, which stays open. */
  public VerificationReport verify(
      JournalSnapshot journalSnapshot, List<ExternalCheckpoint> against) {
    return verify(new SnapshotRows(journalSnapshot), against);
  }

  VerificationReport verify(JournalRows journalRows, List<ExternalCheckpoint> against) {
    List<AcceptedMismatch> candidates = candidates(journalRows);
    FindingCollector findingCollector =
        new FindingCollector(verificationLimits.findingsMax(), candidates);
    reportDuplicates(journalRows, findingCollector);
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
        verificationPass.addRow(event);
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

  private static void reportDuplicates(JournalRows journalRows, FindingCollector findingCollector) {
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
