package gatebook.query.faults;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.query.counts.Tally;
import gatebook.query.projection.EpochNanos;
import gatebook.query.trend.TimeSpan;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads counts of faults in groups from their tallies. */
final class FaultCountReader {
  private final FaultTallies tallies;
  private final List<FaultDimension> by;
  private final List<String> columns;

  /** The lengths of the parts of the time that the columns have; 0 for the others. */
  private final long[] partNanos;

  FaultCountReader(FaultTallies tallies, List<FaultDimension> by) {
    this.tallies = tallies;
    this.by = by;
    this.columns = FaultDimension.columns(by);
    this.partNanos = columns.stream().mapToLong(FaultDimension::partNanos).toArray();
  }

  /** The groups with the most faults in a span, and at most so many; the largest first. */
  List<FaultCount> read(TimeSpan span, int limit) throws SQLException {
    Map<List<@Nullable String>, Tally> groups = new HashMap<>();
    tallies.readEach(
        by, span, (part, values, tally) -> groups.merge(group(part, values), tally, Tally::plus));
    List<Map.Entry<List<@Nullable String>, Tally>> largest =
        groups.entrySet().stream()
            .sorted(Map.Entry.comparingByValue(FaultTallies.LARGEST_FIRST))
            .limit(limit)
            .toList();
    Map<Long, Optional<UUID>> calls =
        tallies.calls(largest.stream().map(Map.Entry::getValue).toList());
    List<FaultCount> counts = new ArrayList<>();
    for (Map.Entry<List<@Nullable String>, Tally> one : largest) {
      Tally tally = one.getValue();
      counts.add(
          new FaultCount(
              members(one.getKey()),
              tally.times(),
              EpochNanos.toInstant(tally.firstAt()).toString(),
              EpochNanos.toInstant(tally.lastAt()).toString(),
              calls.getOrDefault(tally.lastPlace(), Optional.empty()).orElse(null)));
    }
    return counts;
  }

  @FunctionalInterface
  interface GroupReader {
    /** Takes the count of a group in a span; it may get several, which add up. */
    void take(Map<String, JsonNode> members, int span, long count);
  }

  /** Counts the groups in each span, which is told by its number. */
  void readParts(List<TimeSpan> spans, GroupReader groupReader) throws SQLException {
    tallies.read(
        spans,
        (part, values, tally) ->
            groupReader.take(members(group(part, values)), (int) part, tally.times()));
  }

  private List<@Nullable String> group(long part, Map<String, @Nullable String> values) {
    List<@Nullable String> group = new ArrayList<>(columns.size());
    for (int i = 0; i < columns.size(); i++) {
      group.add(
          partNanos[i] == 0
              ? values.get(columns.get(i))
              : Long.toString(part - part % partNanos[i]));
    }
    return Collections.unmodifiableList(group);
  }

  private Map<String, JsonNode> members(List<@Nullable String> group) {
    Map<String, JsonNode> members = new LinkedHashMap<>();
    for (int i = 0; i < columns.size(); i++) {
      String value = group.get(i);
      if (value != null) {
        members.put(columns.get(i), FaultCount.memberJson(columns.get(i), value));
      }
    }
    return members;
  }
}
