package gatebook.events.journal.witness;

/** The answer of a witness to a request to cosign a checkpoint. */
public sealed interface WitnessAnswer {

  /**
   * The checkpoint is cosigned, and the witness will cosign no other of this size or a smaller one.
   *
   * @param lines the signature lines; each ends with a line feed
   */
  record Cosigned(String lines) implements WitnessAnswer {}

  /** The log believes that the witness has seen another size than this one. */
  record OtherSize(long size) implements WitnessAnswer {}

  /** The proof does not lead from what the witness has seen to this checkpoint. */
  record Inconsistent(String origin, long size, String why) implements WitnessAnswer {}

  /** The witness does not know the log. */
  record UnknownLog() implements WitnessAnswer {}

  /** No known key of the log signed the checkpoint, or one of its signatures is wrong. */
  record Untrusted() implements WitnessAnswer {}

  /** The request is not one. */
  record Malformed(String why) implements WitnessAnswer {}
}
