package gatebook.events;

import java.util.SplittableRandom;

/** The length of a proof, and its random seed. */
public final class Proof {
  /** Whether proofs run at full length, as with the profile {@code long}. */
  public static final boolean LONG = "long".equals(System.getProperty("gatebook.proof"));

  private Proof() {}

  /** A few rounds in every build, all with the profile {@code long}. */
  public static int rounds(int bounded, int full) {
    return LONG ? full : bounded;
  }

  /** Fresh in every run unless {@code -Dgatebook.seed=} repeats one. */
  public static long seed() {
    return Long.getLong("gatebook.seed", System.nanoTime());
  }

  /** A random source whose seed is printed. */
  public static SplittableRandom random(String proof) {
    long seed = seed();
    System.err.println(proof + ": seed " + seed);
    return new SplittableRandom(seed);
  }
}
