package gatebook.query.verification;

/**
 * The scope of a verification: how much of a journal it reads.
 *
 * @param everything whether it reads what was verified and stamped before, too
 * @param threads how many segments it reads at the same time
 * @param keyCheck sees each event that is read
 */
public record VerificationScope(boolean everything, int threads, KeyCheck keyCheck) {
  /** A scope that does not look for keys. */
  public VerificationScope(boolean everything, int threads) {
    this(everything, threads, new KeyCheck(_ -> false));
  }

  public VerificationScope {
    if (threads < 1) {
      throw new IllegalArgumentException("nothing is read by %d threads".formatted(threads));
    }
  }
}
