package gatebook.query.counts;

/**
 * A range of places of rows.
 *
 * @param first is included, like {@code last}
 */
record PlaceRange(long first, long last) {
  /** No place. */
  static final PlaceRange NONE = new PlaceRange(Long.MAX_VALUE, Long.MIN_VALUE);

  /** The smallest range that contains both. */
  PlaceRange plus(PlaceRange other) {
    return new PlaceRange(Math.min(first, other.first), Math.max(last, other.last));
  }
}
