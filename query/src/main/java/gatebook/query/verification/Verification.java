package gatebook.query.verification;

import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.storage.JournalSnapshot;
import gatebook.events.journal.storage.RowCursor;
import gatebook.events.journal.storage.SnapshotReading;
import java.util.List;

/**
 * Verifies a journal: recomputes it from its rows. It finds every edit of what a checkpoint covers,
 * if the edit was made without the signing key.
 *
 * <p>It needs the public keys only. Its limits bound its memory, however long the journal is.
 * Nothing stored is trusted except signatures: of checkpoints, which only confirm the tree, and of
 * stamps, as long as the files of their segments have the times that they say.
 *
 * <p>Not found, because no stored data disagrees: events after the newest checkpoint that were
 * removed together with the edge, the index and the checkpoint, or changed with their leaves and
 * the edge; and edits by the owner of the key, unless a checkpoint was kept outside the journal.
 * Ids that occur twice are looked for among the events that are read.
 */
public final class Verification {
  private final List<VerifierKey> trusted;
  private final VerificationLimits verificationLimits;

  public Verification(List<VerifierKey> trusted, VerificationLimits verificationLimits) {
    this.trusted = List.copyOf(trusted);
    this.verificationLimits = verificationLimits;
  }

  /**
   * Verifies the snapshot, which stays open. With a scope of less than everything it does not read
   * the sealed segments that were verified before, as their stamps say. When it then finds
   * something, it reads everything, so that what it reports does not depend on stamps.
   */
  public VerificationReport verify(
      JournalSnapshot journalSnapshot, List<ExternalCheckpoint> against, VerificationScope scope) {
    return verify(new SnapshotRows(journalSnapshot), against, scope);
  }

  VerificationReport verify(
      JournalRows journalRows, List<ExternalCheckpoint> against, VerificationScope scope) {
    SnapshotReading.Order order =
        new SnapshotReading.Order(trusted, !scope.everything(), scope.threads(), scope.keyCheck());
    scope.keyCheck().restart();
    SnapshotReading reading = journalRows.read(order);
    if (order.usesStamps() && !TrustStatements.of(reading).keys(trusted).trustsNewest()) {
      scope.keyCheck().restart();
      order = order.ofEverything(); // the stamps may be by a key that was replaced since
      reading = journalRows.read(order);
    }
    VerificationReport report = verify(journalRows, against, reading, scope.keyCheck());
    if (report.failing() == report.unreadFiles() || report.basis().stamps() == 0) {
      return report;
    }
    scope.keyCheck().restart();
    return verify(journalRows, against, journalRows.read(order.ofEverything()), scope.keyCheck());
  }

  private VerificationReport verify(
      JournalRows journalRows,
      List<ExternalCheckpoint> against,
      SnapshotReading reading,
      KeyCheck keyCheck) {
    TrustStatements statements = TrustStatements.of(reading);
    List<AcceptedMismatch> candidates = statements.acceptances();
    Origins origins = new Origins(trusted, statements.origins());
    FindingCollector findingCollector =
        new FindingCollector(verificationLimits.findingsMax(), candidates);
    reading.damagedFiles().stream()
        .map(it -> new VerificationFinding.FileDamaged(it.file(), it.why(), it.from(), it.to()))
        .forEach(findingCollector::add);
    reading.unreadFiles().stream()
        .map(it -> new VerificationFinding.NotRead(it.file(), it.why(), it.from(), it.to()))
        .forEach(findingCollector::add);
    reportDuplicates(reading, findingCollector);
    try (CheckpointCheck checkpointCheck =
        new CheckpointCheck(statements.keys(trusted), origins, findingCollector)) {
      VerificationPass verificationPass =
          new VerificationPass(
              journalRows,
              checkpointCheck,
              findingCollector,
              new DropCheck(reading, findingCollector),
              verificationLimits,
              keyCheck);
      verificationPass.expect(candidates, origins, against);
      reading.parts().forEach(verificationPass::add);
      return verificationPass.end(reading.refusedStamps());
    }
  }

  private static void reportDuplicates(SnapshotReading reading, FindingCollector findingCollector) {
    try (RowCursor<JournalSnapshot.Id> ids = reading.ids()) {
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
