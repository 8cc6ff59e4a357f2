package gatebook.query.verification;

/**
 * What bounds the memory and the time of a verification, however badly a journal was treated.
 *
 * @param findingsMax findings told one by one; all are counted
 * @param suspectsMax altered rows that are compared with each other to tell reordered ones
 * @param suspectBytesMax payload and metadata kept of those
 * @param missingRunMax positions missing in a row over which the tree is still built
 */
public record VerificationLimits(
    int findingsMax, int suspectsMax, int suspectBytesMax, long missingRunMax) {
  public static final VerificationLimits DEFAULT =
      new VerificationLimits(1_000, 500, 16 * 1024 * 1024, 100_000_000);
}
