package gatebook.query.counts;

/**
 * A tally of rows: how often they occurred in all, and the times and places of the first and last.
 *
 * @param lastAt the latest time
 * @param lastPlace the highest place; the row there need not have the latest time
 */
public record Tally(long times, long firstAt, long lastAt, long lastPlace) {

  /** The tally of both. */
  public Tally plus(Tally other) {
    return new Tally(
        times + other.times,
        Math.min(firstAt, other.firstAt),
        Math.max(lastAt, other.lastAt),
        Math.max(lastPlace, other.lastPlace));
  }
}
