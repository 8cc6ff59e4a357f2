package gatebook.events.journal.crash;

import java.util.SplittableRandom;

/** How long a proof goes on, and from which seed. */
final class Proof {
  private Proof() {}

  /** Few rounds in every build, all of them with the profile {@code long}. */
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
