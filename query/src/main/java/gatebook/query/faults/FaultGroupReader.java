package gatebook.query.faults;

import gatebook.query.counts.Tally;
import gatebook.query.projection.EpochNanos;
import gatebook.query.trend.TimeSpan;
import gatebook.query.trend.Trend;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads the groups of faults with the same fingerprint from their tallies. */
final class FaultGroupReader {
  private final FaultTallies tallies;
  private final TimeSpan span;
  private final Trend.Recorded recordedParts;

  FaultGroupReader(FaultTallies tallies, TimeSpan span, TimeSpan recorded) {
    this.tallies = tallies;
    this.span = span;
    this.recordedParts = span.recordedParts(recorded);
  }

  /**
   * A group as far as it was read.
   *
   * @param values those that its faults have in common, by column
   */
  private record Group(Map<String, @Nullable String> values, Tally tally) {
    Group plus(Group other) {
      return new Group(values, tally.plus(other.tally));
    }
  }

  /** The largest groups, and at most so many. */
  List<FaultGroup> read(int limit) throws SQLException {
    List<Group> groups = largest(limit);
    Map<String, long[]> sparklines = sparklines(groups);
    Map<Long, Optional<UUID>> calls = tallies.calls(groups.stream().map(Group::tally).toList());
    return groups.stream()
        .map(group ->
            faultGroup(
                group,
                Objects.requireNonNull(sparklines.get(fingerprint(group.values))),
                calls.getOrDefault(group.tally.lastPlace(), Optional.empty()).orElse(null)))
        .toList();
  }

  private List<Group> largest(int limit) throws SQLException {
    Map<String, Group> groups = new HashMap<>();
    tallies.read(
        List.of(span),
        (_, values, tally) ->
            groups.merge(fingerprint(values), new Group(values, tally), Group::plus));
    return groups.values().stream()
        .sorted((one, other) -> FaultTallies.LARGEST_FIRST.compare(one.tally, other.tally))
        .limit(limit)
        .toList();
  }

  private Map<String, long[]> sparklines(List<Group> groups) throws SQLException {
    Map<String, long[]> sparklines = new LinkedHashMap<>();
    groups.forEach(group -> sparklines.put(fingerprint(group.values), new long[TimeSpan.PARTS]));
    if (groups.isEmpty()) {
      return sparklines;
    }
    tallies.read(
        span.parts(),
        (part, values, tally) -> {
          long[] sparkline = sparklines.get(fingerprint(values));
          if (sparkline != null) {
            sparkline[(int) part] += tally.times();
          }
        });
    return sparklines;
  }

  private static String fingerprint(Map<String, @Nullable String> values) {
    return Objects.requireNonNull(values.get("fingerprint"));
  }

  private FaultGroup faultGroup(Group group, long[] sparkline, @Nullable UUID lastCall) {
    Map<String, @Nullable String> values = group.values;
    String code = values.get("code");
    return new FaultGroup(
        FaultKey.fingerprintText(Long.parseLong(fingerprint(values))),
        Objects.requireNonNull(values.get("dialect")),
        code == null ? null : FaultKey.codeJson(code),
        Objects.requireNonNull(values.get("fault")),
        values.get("gate"),
        values.get("target"),
        group.tally.times(),
        EpochNanos.toInstant(group.tally.firstAt()).toString(),
        EpochNanos.toInstant(group.tally.lastAt()).toString(),
        lastCall,
        Trend.of(sparkline, recordedParts),
        Arrays.stream(sparkline).boxed().toList());
  }
}
