package gatebook.query.verification;

import java.util.List;

/** A finding of a verification: one deviation of the journal from what was written. */
public sealed interface VerificationFinding {

  /**
   * The row and its leaf do not match.
   *
   * @param leafOnly a checkpoint confirms the row, so only its leaf column was changed
   */
  record Altered(long position, boolean leafOnly) implements VerificationFinding {}

  /**
   * The record of these events is damaged: its checksum is wrong. A record without events, with a
   * checkpoint only, ends before it begins.
   *
   * @param where the file, and the place in it
   */
  record Damaged(long from, long to, String where) implements VerificationFinding {}

  /**
   * A file cannot be read as it was written.
   *
   * @param from the position of its first event
   * @param to the position of its last event; the highest number when that is not known
   */
  record FileDamaged(String file, String why, long from, long to) implements VerificationFinding {}

  /**
   * Events are in an archive that cannot be used, so nothing is known of them.
   *
   * @param file what says where they are
   */
  record NotRead(String file, String why, long from, long to) implements VerificationFinding {
    static final String KIND = "not-read";
  }

  /** Rows are missing at these positions, although later rows were written. */
  record Missing(long from, long to) implements VerificationFinding {}

  /** Events are dropped for good and should not be, or the other way round. */
  record Dropped(long from, long to, String why) implements VerificationFinding {}

  /** The same event occurs twice in the journal. */
  record Duplicate(long position, long firstPosition, String id) implements VerificationFinding {}

  /** The row at a position was written at another one. */
  record Reordered(long position, long belongsAt) implements VerificationFinding {}

  /** The rows end before the size that {@code saidBy} reports. */
  record Truncated(long lastPosition, long size, String saidBy) implements VerificationFinding {}

  /** Rows at positions where the journal never wrote. */
  record Surplus(long from, long to, long rows, long edgeSize) implements VerificationFinding {}

  /** The right edge does not match the rows. */
  record EdgeMismatch(long size, String why) implements VerificationFinding {}

  /** The tag index and the rows disagree about one tag of one event. */
  record IndexMismatch(long position, String tag, boolean onlyInIndex)
      implements VerificationFinding {}

  /**
   * The rows do not match what was signed: they were changed after position {@code agreedUpTo} and
   * not after {@code size}.
   *
   * @param lastSize the size of the last consecutive checkpoint that disagrees
   * @param checkpoints the number of consecutive checkpoints that disagree
   */
  record CheckpointMismatch(
      String checkpoint, long agreedUpTo, long size, long lastSize, long checkpoints)
      implements VerificationFinding {}

  /** Required checkpoints are missing. */
  record CheckpointMissing(String what, long size) implements VerificationFinding {}

  /** A checkpoint that belongs to another journal, or is invalid at its place. */
  record CheckpointUnusable(String checkpoint, long size, String why)
      implements VerificationFinding {}

  /** A checkpoint was changed after it was signed, or was not signed with the key that it names. */
  record BadSignature(String checkpoint, long size, String key) implements VerificationFinding {}

  /** A checkpoint was signed only by keys that this verification does not trust. */
  record KeyUnknown(String checkpoint, long size, List<String> keys)
      implements VerificationFinding {
    public KeyUnknown {
      keys = List.copyOf(keys);
    }
  }

  /** A checkpoint was signed by a key that did not sign the journal with so many events. */
  record KeyNotInForce(String checkpoint, long size, String key, String inForce)
      implements VerificationFinding {}

  /**
   * An event names a new key, and no checkpoint that agrees with the rows hands the trust over to
   * it: both keys have to sign it.
   */
  record KeyNotIntroduced(long position, String oldKey, String newKey)
      implements VerificationFinding {}

  /**
   * The rows do not match a checkpoint kept outside the journal. An acceptance does not cover this
   * finding, because the owner of the key could have written the acceptance, too.
   */
  record ElsewhereMismatch(String checkpoint, long size, String why)
      implements VerificationFinding {}

  /** The stable name for this kind of finding. */
  default String kind() {
    return switch (this) {
      case Altered _ -> "altered";
      case Damaged _ -> "damaged";
      case FileDamaged _ -> "file-damaged";
      case NotRead _ -> NotRead.KIND;
      case Missing _ -> "missing";
      case Dropped _ -> "dropped";
      case Duplicate _ -> "duplicate";
      case Reordered _ -> "reordered";
      case Truncated _ -> "truncated";
      case Surplus _ -> "surplus";
      case EdgeMismatch _ -> "edge-mismatch";
      case IndexMismatch _ -> "index-mismatch";
      case CheckpointMismatch _ -> "checkpoint-mismatch";
      case CheckpointMissing _ -> "checkpoint-missing";
      case CheckpointUnusable _ -> "checkpoint-unusable";
      case BadSignature _ -> "bad-signature";
      case KeyUnknown _ -> "key-unknown";
      case KeyNotInForce _ -> "key-not-in-force";
      case KeyNotIntroduced _ -> "key-not-introduced";
      case ElsewhereMismatch _ -> "elsewhere-mismatch";
    };
  }

  /** A sentence for operators. */
  default String message() {
    return switch (this) {
      case Altered(long position, boolean leafOnly) ->
          leafOnly
              ? "the leaf column of event %d was altered; the event itself is as it was signed"
                  .formatted(position)
              : "event %d was altered: its leaf is not that of its row".formatted(position);
      case Damaged(long from, long to, String where) ->
          to < from
              ? "the record of a checkpoint before event %d is damaged: %s".formatted(from, where)
              : "the record of the events from %d to %d is damaged: %s".formatted(from, to, where);
      case FileDamaged(String file, String why, long from, long to) ->
          "the file %s, with the events from %s, is damaged: %s"
              .formatted(file, to == Long.MAX_VALUE ? from + " on" : from + " to " + to, why);
      case NotRead(String file, String why, long from, long to) ->
          "events %d to %d could not be read and are not verified (%s): %s"
              .formatted(from, to, file, why);
      case Missing(long from, long to) ->
          from == to
              ? "event %d is missing".formatted(from)
              : "events %d to %d are missing".formatted(from, to);
      case Dropped(long from, long to, String why) ->
          from == to
              ? "event %d is only there as its leaf, or should be: %s".formatted(from, why)
              : "events %d to %d are only there as their leaves, or should be: %s"
                  .formatted(from, to, why);
      case Duplicate(long position, long firstPosition, String id) ->
          "event %d is event %d again: both have the id %s".formatted(position, firstPosition, id);
      case Reordered(long position, long belongsAt) ->
          "the event at position %d belongs at position %d".formatted(position, belongsAt);
      case Truncated(long lastPosition, long size, String saidBy) ->
          "the journal ends at position %d, and %s says it had %d events: %s lost"
              .formatted(
                  lastPosition,
                  saidBy,
                  size,
                  size == lastPosition + 1
                      ? "event %d is".formatted(size)
                      : "events %d to %d are".formatted(lastPosition + 1, size));
      case Surplus(long from, long to, long rows, long edgeSize) ->
          "%d rows from position %d to %d lie outside the journal%s"
              .formatted(rows, from, to, from < 1 ? "" : ", whose right edge ends at " + edgeSize);
      case EdgeMismatch(long size, String why) ->
          "the right edge over %d events is wrong: %s".formatted(size, why);
      case IndexMismatch(long position, String tag, boolean onlyInIndex) ->
          onlyInIndex
              ? "the tag index lists event %d under '%s', which that event does not have"
                  .formatted(position, tag)
              : "the tag index does not list event %d under '%s'".formatted(position, tag);
      case CheckpointMismatch(
              String checkpoint,
              long agreedUpTo,
              long size,
              long lastSize,
              long checkpoints) ->
          "the rows are not what %s signed over %d events%s: the first change lies after position %d and not after %d"
              .formatted(
                  checkpoint, size, laterCheckpoints(checkpoints, lastSize), agreedUpTo, size);
      case CheckpointMissing(String what, long _) -> what;
      case CheckpointUnusable(String checkpoint, long _, String why) ->
          "%s cannot be used: %s".formatted(checkpoint, why);
      case BadSignature(String checkpoint, long _, String key) ->
          "%s is not as the key %s signed it".formatted(checkpoint, key);
      case KeyUnknown(String checkpoint, long _, List<String> keys) ->
          "%s is signed by %s, which is not trusted here"
              .formatted(checkpoint, String.join(" and ", keys));
      case KeyNotInForce(String checkpoint, long size, String key, String inForce) ->
          "%s over %d events is signed by %s, where %s signs: a key that was replaced may be known to others"
              .formatted(checkpoint, size, key, inForce);
      case KeyNotIntroduced(long position, String oldKey, String newKey) ->
          "event %d replaces the key %s by %s, and no checkpoint signed by both covers it: the new key is not trusted"
              .formatted(position, oldKey, newKey);
      case ElsewhereMismatch(String checkpoint, long size, String why) ->
          "%s over %d events disagrees: %s".formatted(checkpoint, size, why);
    };
  }

  private static String laterCheckpoints(long checkpoints, long lastSize) {
    return checkpoints == 1
        ? ""
        : " (nor what %d later ones signed, up to %d)".formatted(checkpoints - 1, lastSize);
  }

  /** The smallest accepted size that covers this finding; {@link Long#MAX_VALUE} when none does. */
  default long acceptedFrom() {
    return switch (this) {
      case Altered(long position, boolean _) -> position;
      case Damaged(long from, long to, String _) -> Math.max(from - 1, to);
      case FileDamaged(String _, String _, long from, long to) -> to == Long.MAX_VALUE ? from : to;
      case Missing(long _, long to) -> to;
      case Dropped(long _, long to, String _) -> to;
      case Duplicate(long position, long _, String _) -> position;
      case Reordered(long position, long _) -> position;
      case Surplus(long _, long to, long _, long _) -> to;
      case IndexMismatch(long position, String _, boolean _) -> position;
      case CheckpointMismatch(String _, long _, long _, long lastSize, long _) -> lastSize;
      case CheckpointMissing(String _, long size) -> size;
      case CheckpointUnusable(String _, long size, String _) -> size;
      case BadSignature(String _, long size, String _) -> size;
      case KeyUnknown(String _, long size, List<String> _) -> size;
      case KeyNotInForce(String _, long size, String _, String _) -> size;
      case KeyNotIntroduced(long position, String _, String _) -> position;
      case NotRead _, Truncated _, EdgeMismatch _, ElsewhereMismatch _ -> Long.MAX_VALUE;
    };
  }

  /** The first position that a finding is about; where it is not known, where it was noticed. */
  default long firstPosition() {
    return switch (this) {
      case Altered(long position, boolean _) -> position;
      case Damaged(long from, long _, String _) -> from;
      case FileDamaged(String _, String _, long from, long _) -> from;
      case NotRead(String _, String _, long from, long _) -> from;
      case Missing(long from, long _) -> from;
      case Dropped(long from, long _, String _) -> from;
      case Duplicate(long position, long _, String _) -> position;
      case Reordered(long position, long _) -> position;
      case Truncated(long lastPosition, long _, String _) -> lastPosition + 1;
      case Surplus(long from, long _, long _, long _) -> from;
      case EdgeMismatch(long size, String _) -> size;
      case IndexMismatch(long position, String _, boolean _) -> position;
      case CheckpointMismatch(String _, long _, long size, long _, long _) -> size;
      case CheckpointMissing(String _, long size) -> size;
      case CheckpointUnusable(String _, long size, String _) -> size;
      case BadSignature(String _, long size, String _) -> size;
      case KeyUnknown(String _, long size, List<String> _) -> size;
      case KeyNotInForce(String _, long size, String _, String _) -> size;
      case KeyNotIntroduced(long position, String _, String _) -> position;
      case ElsewhereMismatch(String _, long size, String _) -> size;
    };
  }
}
