package gatebook.query.verification;

/**
 * The scope of a verification: how much of a journal it reads.
 *
 * @param everything whether it reads what was verified and stamped before, too
 * @param threads how many segments it reads at the same time
 */
public record VerificationScope(boolean everything, int threads) {
  public VerificationScope {
    if (threads < 1) {
      throw new IllegalArgumentException("nothing is read by %d threads".formatted(threads));
    }
  }
}
