package gatebook.query.verification;

/**
 * The limits on memory and time of a verification, however damaged the journal is.
 *
 * @param findingsMax findings kept; all are counted
 * @param suspectsMax altered rows that are compared with each other to recognise reordered ones
 * @param suspectBytesMax payload and metadata kept of these rows
 * @param missingRunMax consecutive missing positions over which the tree is still built
 */
public record VerificationLimits(
    int findingsMax, int suspectsMax, int suspectBytesMax, long missingRunMax) {
  public static final VerificationLimits DEFAULT =
      new VerificationLimits(1_000, 500, 16 * 1024 * 1024, 100_000_000);
}
