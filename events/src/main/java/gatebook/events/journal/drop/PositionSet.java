package gatebook.events.journal.drop;

import gatebook.events.call.VariableIntegers;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;

/**
 * Positions of events. Encoded, they are increasing differences in {@link VariableIntegers integers
 * of variable length}.
 */
public final class PositionSet {
  public static final PositionSet NONE = new PositionSet(new long[0]);

  private final long[] positions;

  private PositionSet(long[] positions) {
    this.positions = positions;
  }

  public static PositionSet of(Collection<Long> positions) {
    return new PositionSet(
        positions.stream().mapToLong(Long::longValue).sorted().distinct().toArray());
  }

  /** Empty when the bytes are not exactly those that a set is encoded as. */
  public static Optional<PositionSet> decode(byte[] encoded) {
    VariableIntegers differences = new VariableIntegers(encoded);
    long[] positions = new long[encoded.length];
    int count = 0;
    long last = 0;
    while (differences.hasNext()) {
      long difference = differences.next();
      last += difference;
      if (difference < 1 || last < 1) {
        return Optional.empty();
      }
      positions[count++] = last;
    }
    PositionSet decoded = new PositionSet(Arrays.copyOf(positions, count));
    return Arrays.equals(decoded.encode(), encoded) ? Optional.of(decoded) : Optional.empty();
  }

  public byte[] encode() {
    ByteArrayOutputStream encoded = new ByteArrayOutputStream();
    long last = 0;
    for (long position : positions) {
      VariableIntegers.write(encoded, position - last);
      last = position;
    }
    return encoded.toByteArray();
  }

  public boolean contains(long position) {
    return containsAny(position, position);
  }

  /** Whether a position is one from {@code from} to {@code to}. */
  public boolean containsAny(long from, long to) {
    int found = Arrays.binarySearch(positions, from);
    int next = found < 0 ? -found - 1 : found;
    return next < positions.length && positions[next] <= to;
  }

  /** How many positions there are. */
  public int size() {
    return positions.length;
  }

  /** Whether every position is one from {@code from} to {@code to}. */
  public boolean isWithin(long from, long to) {
    return positions.length == 0 || (positions[0] >= from && positions[positions.length - 1] <= to);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PositionSet set && Arrays.equals(positions, set.positions);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(positions);
  }

  @Override
  public String toString() {
    return Arrays.toString(positions);
  }
}
