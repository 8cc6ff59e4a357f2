package gatebook.events.journal.crash;

import java.util.SplittableRandom;

/** The length of a proof, and its random seed. */
final class Proof {
  private Proof() {}

  /** A few rounds in every build, all with the profile {@code long}. */
  static int rounds(int bounded, int full) {
    return System.getProperty("gatebook.proof", "bounded").equals("long") ? full : bounded;
  }

  /** Fresh in every run unless {@code -Dgatebook.seed=} repeats one; printed either way. */
  static SplittableRandom random(String proof) {
    long seed = Long.getLong("gatebook.seed", System.nanoTime());
    System.err.println(proof + ": seed " + seed);
    return new SplittableRandom(seed);
  }
}
