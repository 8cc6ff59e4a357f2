package gatebook.query.verification;

import gatebook.events.journal.RecordedRotation;
import gatebook.events.journal.checkpoint.KeyHistory;
import gatebook.events.journal.checkpoint.KeyRotation;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.RowCursor;
import gatebook.events.journal.storage.SnapshotReading;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The statements of a journal about what is right in it. A statement counts only as far as
 * signatures confirm it.
 */
record TrustStatements(
    List<AcceptedMismatch> acceptances, List<OriginStart> origins, List<KeyRotation> rotations) {
  /** How many of the newest acceptances are used; each covers everything before it. */
  private static final int ACCEPTANCES_MAX = 1_000;

  /** How many origins are known; checkpoints of later ones are unusable. */
  private static final int ORIGINS_MAX = 1_000;

  /** How many rotations are known; checkpoints by later keys are not trusted. */
  private static final int ROTATIONS_MAX = 1_000;

  static TrustStatements of(SnapshotReading reading) {
    Deque<AcceptedMismatch> acceptances = new ArrayDeque<>();
    List<OriginStart> origins = new ArrayList<>();
    List<KeyRotation> rotations = new ArrayList<>();
    try (RowCursor<Entry> events = reading.trustEvents()) {
      for (Entry event = events.next(); event != null; event = events.next()) {
        AcceptedMismatch.of(event).ifPresent(acceptances::addLast);
        if (acceptances.size() > ACCEPTANCES_MAX) {
          acceptances.removeFirst();
        }
        if (origins.size() < ORIGINS_MAX) {
          OriginStart.of(event).ifPresent(origins::add);
        }
        if (rotations.size() < ROTATIONS_MAX) {
          RecordedRotation.of(event).ifPresent(rotations::add);
        }
      }
    }
    return new TrustStatements(
        List.copyOf(acceptances), List.copyOf(origins), List.copyOf(rotations));
  }

  /** The keys that signed the journal, around those that are trusted. */
  KeyHistory keys(List<VerifierKey> trusted) {
    return KeyHistory.of(trusted, rotations);
  }
}
