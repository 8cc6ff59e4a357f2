package gatebook.query.errors;

import gatebook.query.errors.ErrorQueries.ErrorCounts;
import gatebook.query.projection.View;
import gatebook.query.trend.RecordedTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The counts that stay when events are dropped: by hour, and in all. */
public final class KeptCounts {
  private KeptCounts() {}

  /** The counts of the view of denials and errors. */
  public static Map<String, Long> of(View view, RecordedTime recordedTime) {
    Map<String, Long> counts = new TreeMap<>();
    for (Counted counted : Counted.values()) {
      for (ErrorDimension dimension : counted.dimensions()) {
        if (counted.areKept(List.of(ErrorDimension.column(dimension.word())))) {
          add(counts, view, recordedTime, counted, List.of(dimension));
          add(counts, view, recordedTime, counted, List.of(ErrorDimension.HOUR, dimension));
          add(counts, view, recordedTime, counted, List.of(dimension, ErrorDimension.DAY));
        }
      }
    }
    return counts;
  }

  private static void add(
      Map<String, Long> counts,
      View view,
      RecordedTime recordedTime,
      Counted counted,
      List<ErrorDimension> by) {
    CountErrors query =
        new CountErrors(
            ErrorFilter.all(counted), by, Instant.parse("2027-01-01T00:00:00Z"), 100_000, 0);
    ErrorCounts found =
        view.readSnapshot(
            it -> new ErrorCounter(it, query, recordedTime).count(new View.Reached(0, 0)));
    counts.put("%s by %s".formatted(counted, by), found.total());
    found
        .groups()
        .forEach(group ->
            counts.put("%s by %s %s".formatted(counted, by, group.members()), group.count()));
  }
}
