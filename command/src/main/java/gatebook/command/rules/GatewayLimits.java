package gatebook.command.rules;

import static java.util.stream.Collectors.joining;

import java.util.Arrays;

/** The value of each limit of the gateway. */
@SuppressWarnings("EnumOrdinal") // the array lives no longer than the order of the limits
public final class GatewayLimits {

  public static final GatewayLimits DEFAULT =
      new GatewayLimits(Arrays.stream(Limit.values()).mapToLong(Limit::defaultValue).toArray());

  /** By the ordinal of the limit. */
  private final long[] values;

  private GatewayLimits(long[] values) {
    this.values = values;
  }

  public long get(Limit limit) {
    return values[limit.ordinal()];
  }

  /** The value of a limit whose highest value is an {@code int}. */
  public int getInt(Limit limit) {
    return Math.toIntExact(get(limit));
  }

  /** These limits, but for one. */
  public GatewayLimits with(Limit limit, long value) {
    long[] changed = values.clone();
    changed[limit.ordinal()] = value;
    return new GatewayLimits(changed);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof GatewayLimits limits && Arrays.equals(values, limits.values);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(values);
  }

  /** The limits that are not the default, as the rules file has them. */
  @Override
  public String toString() {
    return Arrays.stream(Limit.values())
        .filter(limit -> get(limit) != limit.defaultValue())
        .map(limit -> limit.key() + ": " + get(limit))
        .collect(joining(", ", "{", "}"));
  }
}
