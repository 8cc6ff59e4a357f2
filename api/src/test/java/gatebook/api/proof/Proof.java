package gatebook.api.proof;

import java.util.SplittableRandom;

/** How much is proved, and by what chance; {@code -Dgatebook.seed} repeats a run's choices. */
final class Proof {
  private Proof() {}

  /** Few in every build, many with {@code -Plong}. */
  static int rounds(int bounded, int many) {
    return "long".equals(System.getProperty("gatebook.proof")) ? many : bounded;
  }

  static SplittableRandom random(String what) {
    long seed = Long.getLong("gatebook.seed", System.nanoTime());
    System.err.println(what + ": seed " + seed);
    return new SplittableRandom(seed);
  }
}
