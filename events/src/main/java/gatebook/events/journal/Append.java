package gatebook.events.journal;

/**
 * The result of an append. Only {@link Stored} was written; everything else left nothing behind
 * unless it says so.
 */
public sealed interface Append {
  /** The events are durable under these positions, without a gap. */
  record Stored(long first, long last) implements Append {}

  /** An event that the condition excludes was stored before. */
  record Conflict(ConflictCondition condition) implements Append {}

  /** The events were not stored; {@code reason} is for operators. */
  sealed interface Refused extends Append {
    String reason();
  }

  /** The queue is full: retry when the batches ahead are written. */
  record Overloaded(String reason, long retryAfterMillis) implements Refused {}

  /** The journal cannot write now; it keeps trying to reopen its storage. */
  record Unavailable(String reason) implements Refused {}

  /** The storage failed while it was committing: the events may or may not be there. */
  record InDoubt(String reason) implements Refused {}

  /** This event can never be stored, in any attempt. */
  record Unstorable(String reason) implements Refused {}

  /**
   * The rows disagree with the newest checkpoint: nothing is appended until an operator accepts
   * them.
   */
  record Distrusted(String reason) implements Refused {}

  /** The journal was restored: nothing is appended until an operator lets it go on. */
  record ReadOnly(String reason) implements Refused {}

  /** The journal was closed. */
  record Closed(String reason) implements Refused {}
}
