package gatebook.query.verification;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.journal.checkpoint.Checkpoint;
import gatebook.events.journal.checkpoint.KeyHistory;
import gatebook.events.journal.checkpoint.KeyRotation;
import gatebook.events.journal.checkpoint.OpenedNote;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.storage.RowCursor;
import gatebook.events.journal.storage.SettledRange;
import gatebook.events.journal.storage.SettledRange.CheckpointRun;
import gatebook.events.journal.storage.StoredCheckpoint;
import gatebook.events.journal.tree.RightEdge;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks the checkpoints in the journal against the growing tree, part by part. */
final class CheckpointCheck implements AutoCloseable {
  private static final long NONE = Long.MAX_VALUE;

  private final Deque<RowCursor<StoredCheckpoint>> stored = new ArrayDeque<>();
  private final KeyHistory keys;
  private final Origins origins;
  private final FindingCollector findingCollector;

  private @Nullable Checkpoint next;
  private long nextNumber;
  private long passed;
  private long lastNumber;
  private long lastSize;
  private long usable;
  private long agreedUpTo;
  private long vouchedUpTo;
  private boolean everDisagreed;
  private long fileAgreedUpTo;
  private boolean fileDisagrees;
  private @Nullable Disagreement disagreement;

  /** The rotation whose new key the next checkpoint introduces, if it agrees with the rows. */
  private @Nullable KeyRotation introducedByNext;

  private final Set<KeyRotation> introduced = new HashSet<>();

  CheckpointCheck(KeyHistory keys, Origins origins, FindingCollector findingCollector) {
    this.keys = keys;
    this.origins = origins;
    this.findingCollector = findingCollector;
  }

  /**
   * Goes on with the checkpoints of the next part, which is closed in the end.
   *
   * @param treeSize how many events are before the part
   */
  void add(RowCursor<StoredCheckpoint> ofPart, long treeSize) {
    stored.addLast(ofPart);
    passed = treeSize;
    if (next == null) {
      advance();
    }
  }

  /** Whether every checkpoint of the parts so far was compared. */
  boolean isIdle() {
    return next == null;
  }

  /** Takes the checkpoints of a part that need not be compared, when it is idle. */
  void addSettled(CheckpointRun run) {
    checkNumber(run.firstNumber(), run.firstSize());
    lastNumber = Math.max(lastNumber, run.lastNumber());
    lastSize = run.lastSize();
    usable += run.count();
    agree(run.lastSize());
  }

  /** The tree size at which the next checkpoint has to be compared. */
  long nextSize() {
    return next == null ? NONE : next.size();
  }

  /**
   * The number of checkpoints that could be compared, or could have been if there were enough rows.
   */
  long usable() {
    return usable;
  }

  /** The number of checkpoints, valid or not. */
  long storedCount() {
    return lastNumber;
  }

  /** The size of the newest checkpoint with a valid signature. */
  long signedUpTo() {
    return lastSize;
  }

  /**
   * The size up to which the rows are as they were first signed. Checkpoints that were signed after
   * an operator accepted a change do not count.
   */
  long vouchedUpTo() {
    return vouchedUpTo;
  }

  /** The checkpoint in the file was compared, too. */
  void compared(Checkpoint inFile, boolean agrees) {
    fileAgreedUpTo = agrees ? inFile.size() : 0;
    fileDisagrees = !agrees;
  }

  /** Whether the rows are what the newest checkpoints signed, perhaps with more behind them. */
  boolean isNewestAgreed(long sizeInFile) {
    long signed = Math.max(lastSize, sizeInFile);
    return usable > 0 && !fileDisagrees && Math.max(agreedUpTo, fileAgreedUpTo) >= signed;
  }

  /** The size of the newest checkpoint that agrees with the rows. */
  long agreedUpTo() {
    return agreedUpTo;
  }

  void compare(RightEdge tree) {
    byte[] root = tree.root();
    for (Checkpoint due = next; due != null && due.size() == tree.size(); due = next) {
      if (Arrays.equals(root, due.root())) {
        if (introducedByNext != null) {
          introduced.add(introducedByNext);
        }
        agree(due.size());
      } else {
        disagree(due);
      }
      advance();
    }
  }

  /**
   * Called after the last row, which is at this position. The remaining checkpoints were signed
   * over more rows.
   */
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
    reportDisagreement();
    keys.rotations().stream()
        .filter(it -> !introduced.contains(it))
        .map(it ->
            new VerificationFinding.KeyNotIntroduced(
                it.position(), it.oldKey().label(), it.newKey().label()))
        .forEach(findingCollector::add);
  }

  /**
   * Whether what settled a range is enough: it holds no rotation of the key, and it was settled by
   * a stamp, or by signatures of a key that is trusted without a rotation.
   */
  boolean isSettledRightly(SettledRange range, boolean isStamped) {
    return isStamped || keys.isTrustedThroughout(range.first(), range.last());
  }

  /**
   * Opens a checkpoint whose signature is trusted; adds a finding for any other.
   *
   * @param size of the events at which it is stored; the highest number when it is kept elsewhere
   */
  Optional<Checkpoint> openTrusted(String which, long size, byte[] note) {
    return switch (keys.open(note)) {
      case OpenedNote.Valid<Checkpoint>(Checkpoint checkpoint, VerifierKey key) ->
          checkOrigin(which, size, checkpoint, key);
      case OpenedNote.WrongSignature<Checkpoint>(String key) ->
          reject(new VerificationFinding.BadSignature(which, size, key));
      case OpenedNote.UnknownKey<Checkpoint>(List<String> keys) ->
          reject(new VerificationFinding.KeyUnknown(which, size, keys));
      case OpenedNote.NotInForce<Checkpoint>(String key, long signedSize, String inForce) ->
          reject(
              new VerificationFinding.KeyNotInForce(
                  which, size == NONE ? signedSize : size, key, inForce));
      case OpenedNote.Malformed<Checkpoint>(int line, String why) ->
          reject(
              new VerificationFinding.CheckpointUnusable(
                  which, size, "in line " + line + " " + why));
    };
  }

  private Optional<Checkpoint> checkOrigin(
      String which, long size, Checkpoint checkpoint, VerifierKey key) {
    String origin = checkpoint.origin();
    Optional<String> refusal =
        !origin.equals(key.name())
            ? Optional.of("it is of another journal, " + origin)
            : size == NONE ? origins.refusal(origin) : origins.refusal(origin, size);
    return refusal.isEmpty()
        ? Optional.of(checkpoint)
        : reject(new VerificationFinding.CheckpointUnusable(which, size, refusal.get()));
  }

  private Optional<Checkpoint> reject(VerificationFinding verificationFinding) {
    findingCollector.add(verificationFinding);
    return Optional.empty();
  }

  private void advance() {
    next = null;
    for (StoredCheckpoint row = nextRow(); row != null; row = nextRow()) {
      nextNumber = row.number();
      next = usable(row);
      if (next != null) {
        return;
      }
    }
  }

  private @Nullable StoredCheckpoint nextRow() {
    StoredCheckpoint row = null;
    while (row == null && !stored.isEmpty()) {
      row = stored.getFirst().next();
      if (row == null) {
        stored.removeFirst().close();
      }
    }
    return row;
  }

  @Override
  public void close() {
    stored.forEach(RowCursor::close);
  }

  private @Nullable Checkpoint usable(StoredCheckpoint row) {
    checkNumber(row.number(), row.size());
    Checkpoint checkpoint =
        openTrusted(name(row.number()), row.size(), row.note().getBytes(UTF_8)).orElse(null);
    if (checkpoint == null || !isInPlace(row, checkpoint) || !isByTrustedKey(row, checkpoint)) {
      return null;
    }
    checkEdge(row, checkpoint);
    lastSize = checkpoint.size();
    usable++;
    return checkpoint;
  }

  /**
   * Whether the key of a checkpoint is trusted: from the beginning, or since a checkpoint that the
   * key before it signed, too.
   */
  private boolean isByTrustedKey(StoredCheckpoint row, Checkpoint checkpoint) {
    introducedByNext = null;
    KeyRotation rotation = keys.rotationBefore(checkpoint.size()).orElse(null);
    if (rotation == null || introduced.contains(rotation)) {
      return true;
    }
    introducedByNext = rotation.isSignedBy(row.note().getBytes(UTF_8)) ? rotation : null;
    if (!keys.needsIntroduction(rotation) || (introducedByNext != null && isOldTrusted(rotation))) {
      return true;
    }
    findingCollector.add(
        new VerificationFinding.KeyUnknown(
            name(row.number()), row.size(), List.of(rotation.newKey().label())));
    return false;
  }

  private boolean isOldTrusted(KeyRotation rotation) {
    return keys.before(rotation)
        .map(it -> introduced.contains(it) || !keys.needsIntroduction(it))
        .orElse(true);
  }

  private void checkNumber(long number, long size) {
    if (number > lastNumber + 1) {
      findingCollector.add(
          new VerificationFinding.CheckpointMissing(
              "checkpoints %d to %d are missing in the journal"
                  .formatted(lastNumber + 1, number - 1),
              size));
    }
    lastNumber = Math.max(lastNumber, number);
  }

  private boolean isInPlace(StoredCheckpoint row, Checkpoint checkpoint) {
    String why = "";
    if (checkpoint.size() != row.size()) {
      why = "its row says %d events and its note %d".formatted(row.size(), checkpoint.size());
    } else if (checkpoint.size() < lastSize) {
      why = "it has fewer events than the one before it";
    } else if (checkpoint.size() < passed) {
      why = "it is stored behind later events";
    } else if (row.number() < 1) {
      why = "checkpoints count from 1";
    }
    if (!why.isEmpty()) {
      findingCollector.add(
          new VerificationFinding.CheckpointUnusable(name(row.number()), row.size(), why));
    }
    return why.isEmpty();
  }

  /**
   * Checks the stored hashes, from which the journal continues: only the signed root can confirm
   * them.
   */
  private void checkEdge(StoredCheckpoint row, Checkpoint checkpoint) {
    if (RightEdge.restored(checkpoint.size(), row.hashes())
        .filter(edge -> Arrays.equals(edge.root(), checkpoint.root()))
        .isEmpty()) {
      findingCollector.add(
          new VerificationFinding.CheckpointUnusable(
              name(row.number()), row.size(), "its hashes are not those it was signed over"));
    }
  }

  private void agree(long size) {
    reportDisagreement();
    agreedUpTo = size;
    vouchedUpTo = everDisagreed ? vouchedUpTo : agreedUpTo;
  }

  private void disagree(Checkpoint checkpoint) {
    everDisagreed = true;
    disagreement =
        disagreement == null
            ? new Disagreement(nextNumber, agreedUpTo, checkpoint.size(), checkpoint.size(), 1)
            : disagreement.extendTo(checkpoint.size());
  }

  private void reportDisagreement() {
    if (disagreement != null) {
      findingCollector.add(disagreement.finding());
      disagreement = null;
    }
  }

  private static String name(long number) {
    return "checkpoint " + number + " in the journal";
  }

  private record Disagreement(
      long number, long agreedUpTo, long size, long lastSize, long checkpoints) {
    Disagreement extendTo(long another) {
      return new Disagreement(number, agreedUpTo, size, another, checkpoints + 1);
    }

    VerificationFinding finding() {
      return new VerificationFinding.CheckpointMismatch(
          name(number), agreedUpTo, size, lastSize, checkpoints);
    }
  }
}
