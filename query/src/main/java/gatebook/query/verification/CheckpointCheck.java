package gatebook.query.verification;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.journal.RowCursor;
import gatebook.events.journal.StoredCheckpoint;
import gatebook.events.journal.checkpoint.Checkpoint;
import gatebook.events.journal.checkpoint.OpenedNote;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.tree.RightEdge;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Walks the checkpoints in the database beside the growing tree. */
final class CheckpointCheck {
  private static final long NONE = Long.MAX_VALUE;

  private final RowCursor<StoredCheckpoint> stored;
  private final List<VerifierKey> trusted;
  private final FindingCollector findingCollector;

  private @Nullable Checkpoint next;
  private long nextNumber;
  private long lastNumber;
  private long lastSize;
  private long usable;
  private long agreedUpTo;
  private long vouchedUpTo;
  private boolean everDisagreed;
  private @Nullable Disagreement disagreement;

  CheckpointCheck(
      RowCursor<StoredCheckpoint> stored,
      List<VerifierKey> trusted,
      FindingCollector findingCollector) {
    this.stored = stored;
    this.trusted = trusted;
    this.findingCollector = findingCollector;
    advance();
  }

  /** The size of the tree at which the next checkpoint is to be compared. */
  long nextSize() {
    return next == null ? NONE : next.size();
  }

  /** How many could be compared, or could have been had the rows not ended. */
  long usable() {
    return usable;
  }

  /** How many there are, whatever they are worth. */
  long stored() {
    return lastNumber;
  }

  /** The size of the newest checkpoint that somebody with the key signed. */
  long signedUpTo() {
    return lastSize;
  }

  /**
   * How far the rows are as they were first signed. What was signed again after an operator
   * accepted a change does not count.
   */
  long vouchedUpTo() {
    return vouchedUpTo;
  }

  /** The size of the newest checkpoint that the rows agree with. */
  long agreedUpTo() {
    return agreedUpTo;
  }

  void compare(RightEdge tree) {
    byte[] root = tree.root();
    for (Checkpoint due = next; due != null && due.size() == tree.size(); due = next) {
      if (Arrays.equals(root, due.root())) {
        agree(due);
      } else {
        disagree(due);
      }
      advance();
    }
  }

  /** The rows have ended, at this position: what is left was signed over more of them. */
  void end(long lastPosition) {
    for (Checkpoint due = next; due != null; due = next) {
      if (due.size() <= lastPosition) {
        disagree(due);
      }
      advance();
    }
    if (lastSize > lastPosition) {
      findingCollector.add(
          new VerificationFinding.Truncated(lastPosition, lastSize, "the newest checkpoint"));
    }
    tellDisagreement();
  }

  /** A checkpoint that says something we may believe; what keeps others from it is a finding. */
  Optional<Checkpoint> trusted(String which, long size, byte[] note) {
    return switch (Checkpoint.open(note, trusted)) {
      case OpenedNote.Valid<Checkpoint>(Checkpoint checkpoint, VerifierKey key) ->
          ofThisLog(which, size, checkpoint, key);
      case OpenedNote.WrongSignature<Checkpoint>(String key) ->
          not(new VerificationFinding.BadSignature(which, size, key));
      case OpenedNote.UnknownKey<Checkpoint>(List<String> keys) ->
          not(new VerificationFinding.KeyUnknown(which, size, keys));
      case OpenedNote.Malformed<Checkpoint>(int line, String why) ->
          not(
              new VerificationFinding.CheckpointUnusable(
                  which, size, "in line " + line + " " + why));
    };
  }

  private Optional<Checkpoint> ofThisLog(
      String which, long size, Checkpoint checkpoint, VerifierKey key) {
    return checkpoint.origin().equals(key.name())
        ? Optional.of(checkpoint)
        : not(
            new VerificationFinding.CheckpointUnusable(
                which, size, "it is of another journal, " + checkpoint.origin()));
  }

  private Optional<Checkpoint> not(VerificationFinding verificationFinding) {
    findingCollector.add(verificationFinding);
    return Optional.empty();
  }

  private void advance() {
    next = null;
    for (StoredCheckpoint noted = stored.next(); noted != null; noted = stored.next()) {
      nextNumber = noted.number();
      next = usable(noted);
      if (next != null) {
        return;
      }
    }
  }

  private @Nullable Checkpoint usable(StoredCheckpoint noted) {
    numbered(noted);
    Checkpoint checkpoint =
        trusted(name(noted.number()), noted.size(), noted.note().getBytes(UTF_8)).orElse(null);
    if (checkpoint == null || !inPlace(noted, checkpoint)) {
      return null;
    }
    edge(noted, checkpoint);
    lastSize = checkpoint.size();
    usable++;
    return checkpoint;
  }

  private void numbered(StoredCheckpoint noted) {
    if (noted.number() > lastNumber + 1) {
      findingCollector.add(
          new VerificationFinding.CheckpointMissing(
              "checkpoints %d to %d are missing in the database"
                  .formatted(lastNumber + 1, noted.number() - 1),
              noted.size()));
    }
    lastNumber = Math.max(lastNumber, noted.number());
  }

  private boolean inPlace(StoredCheckpoint noted, Checkpoint checkpoint) {
    String why = "";
    if (checkpoint.size() != noted.size()) {
      why = "its row says %d events and its note %d".formatted(noted.size(), checkpoint.size());
    } else if (checkpoint.size() < lastSize) {
      why = "it has fewer events than the one before it";
    } else if (noted.number() < 1) {
      why = "checkpoints count from 1";
    }
    if (!why.isEmpty()) {
      findingCollector.add(
          new VerificationFinding.CheckpointUnusable(name(noted.number()), noted.size(), why));
    }
    return why.isEmpty();
  }

  /** The journal starts from these hashes, and only the signed root can vouch for them. */
  private void edge(StoredCheckpoint noted, Checkpoint checkpoint) {
    if (RightEdge.restored(checkpoint.size(), noted.hashes())
        .filter(edge -> Arrays.equals(edge.root(), checkpoint.root()))
        .isEmpty()) {
      findingCollector.add(
          new VerificationFinding.CheckpointUnusable(
              name(noted.number()), noted.size(), "its hashes are not those it was signed over"));
    }
  }

  private void agree(Checkpoint checkpoint) {
    tellDisagreement();
    agreedUpTo = checkpoint.size();
    vouchedUpTo = everDisagreed ? vouchedUpTo : agreedUpTo;
  }

  private void disagree(Checkpoint checkpoint) {
    everDisagreed = true;
    disagreement =
        disagreement == null
            ? new Disagreement(nextNumber, agreedUpTo, checkpoint.size(), checkpoint.size(), 1)
            : disagreement.also(checkpoint.size());
  }

  private void tellDisagreement() {
    if (disagreement != null) {
      findingCollector.add(disagreement.finding());
      disagreement = null;
    }
  }

  private static String name(long number) {
    return "checkpoint " + number + " in the database";
  }

  private record Disagreement(
      long number, long agreedUpTo, long size, long lastSize, long checkpoints) {
    Disagreement also(long another) {
      return new Disagreement(number, agreedUpTo, size, another, checkpoints + 1);
    }

    VerificationFinding finding() {
      return new VerificationFinding.CheckpointMismatch(
          name(number), agreedUpTo, size, lastSize, checkpoints);
    }
  }
}
