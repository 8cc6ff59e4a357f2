package gatebook.api.proof;

import java.util.SplittableRandom;

/**
 * The settings of the proofs: the number of rounds and the random seed; {@code -Dgatebook.seed}
 * repeats the random choices of a run.
 */
final class ProofSettings {
  private ProofSettings() {}

  /** The number of rounds: {@code bounded} in every build, {@code many} with {@code -Plong}. */
  static int rounds(int bounded, int many) {
    return "long".equals(System.getProperty("gatebook.proof")) ? many : bounded;
  }

  static SplittableRandom random(String what) {
    long seed = Long.getLong("gatebook.seed", System.nanoTime());
    System.err.println(what + ": seed " + seed);
    return new SplittableRandom(seed);
  }
}
