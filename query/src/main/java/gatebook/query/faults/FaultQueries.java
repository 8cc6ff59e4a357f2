package gatebook.query.faults;

import gatebook.events.journal.Journal;
import gatebook.query.calls.CallEvents;
import gatebook.query.projection.EpochNanos;
import gatebook.query.projection.EventReader;
import gatebook.query.projection.RowFilter;
import gatebook.query.projection.View;
import gatebook.query.projection.View.Reached;
import gatebook.query.projection.ViewFile;
import gatebook.query.trend.RecordedTime;
import gatebook.query.trend.TimeSpan;
import gatebook.query.trend.Trend;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import org.axonframework.messaging.queryhandling.annotation.QueryHandler;

/**
 * Answers queries about faults, in groups: how often each occurred, since when, and with what
 * trend.
 */
public final class FaultQueries {
  /** The form of a group's fingerprint, as a regular expression. */
  public static final String FINGERPRINT_TEXT = FaultKey.FINGERPRINT_TEXT;

  /** Stands for all error codes that no vocabulary of the dialect defines. */
  public static final String OTHER_CODE = FaultKey.OTHER_CODE;

  private final View view;
  private final RecordedTime recordedTime;

  private FaultQueries(View view, RecordedTime recordedTime) {
    this.view = view;
    this.recordedTime = recordedTime;
  }

  /** Starts following the journal with the view in this file. */
  public static FaultQueries follow(ViewFile views, Journal journal, EventReader reader) {
    CallEvents callEvents = new CallEvents(journal);
    return new FaultQueries(
        View.follow(views, journal, new FaultsProjection(callEvents::of), reader),
        new RecordedTime(journal));
  }

  public View view() {
    return view;
  }

  /**
   * The groups of a time span.
   *
   * @param since the start of the span: that of the query, else the time of the first error
   * @param until the end of the span: that of the query, else now
   * @param groups the groups, largest first
   * @param more whether there are smaller groups
   */
  public record Groups(
      Reached reached,
      Instant since,
      Instant until,
      double partSeconds,
      List<FaultGroup> groups,
      boolean more) {
    public Groups {
      groups = List.copyOf(groups);
    }
  }

  /**
   * The rates of a time span.
   *
   * @param since the start of the span: that of the query, else the time of the first error
   * @param until the end of the span: that of the query, else now
   * @param groups the groups, largest first
   * @param more whether there are smaller groups
   */
  public record Rates(
      Reached reached,
      Instant since,
      Instant until,
      double partSeconds,
      List<FaultRate> groups,
      boolean more) {
    public Rates {
      groups = List.copyOf(groups);
    }
  }

  /**
   * The counts of a time span.
   *
   * @param since the start of the span: that of the query, else the time of the first error
   * @param until the end of the span: that of the query, else now
   * @param groups the groups, largest first
   * @param more whether there are smaller groups
   */
  public record FaultCounts(
      Reached reached, Instant since, Instant until, List<FaultCount> groups, boolean more) {
    public FaultCounts {
      groups = List.copyOf(groups);
    }
  }

  @QueryHandler
  Groups handle(GroupFaults query) throws InterruptedException {
    Reached reached = view.awaitHead(query.atLeast());
    return view.read(it -> {
      TimeSpan recorded = recorded(it, query.now());
      TimeSpan span = span(it, query.filter(), List.of(), recorded);
      return groups(it, reached, query, span, recorded);
    });
  }

  @QueryHandler
  Rates handle(RateFaults query) throws InterruptedException {
    Reached reached = view.awaitHead(query.atLeast());
    return view.read(it -> {
      TimeSpan recorded = recorded(it, query.now());
      TimeSpan span = span(it, query.filter(), query.by(), recorded);
      List<FaultRate> found =
          new FaultRateReader(it, query, span, recorded).read(query.limit() + 1);
      return new Rates(
          reached,
          EpochNanos.toInstant(span.from()),
          EpochNanos.toInstant(span.to()),
          span.partSeconds(),
          found.stream().limit(query.limit()).toList(),
          found.size() > query.limit());
    });
  }

  @QueryHandler
  FaultCounts handle(CountFaults query) throws InterruptedException {
    Reached reached = view.awaitHead(query.atLeast());
    return view.read(it -> {
      TimeSpan span = span(it, query.filter(), query.by(), recorded(it, query.now()));
      List<FaultCount> found =
          new FaultCountReader(it, query.by(), query.filter().within(span)).read(query.limit() + 1);
      return new FaultCounts(
          reached,
          EpochNanos.toInstant(span.from()),
          EpochNanos.toInstant(span.to()),
          found.stream().limit(query.limit()).toList(),
          found.size() > query.limit());
    });
  }

  /**
   * A page of error responses, newest first.
   *
   * @param total the number of error responses on all pages
   * @param next the cursor of the next page; empty on the last page
   */
  public record FaultPage(
      Reached reached, long total, List<ListedFault> faults, OptionalLong next) {
    public FaultPage {
      faults = List.copyOf(faults);
    }
  }

  @QueryHandler
  FaultPage handle(ListFaults query) throws InterruptedException {
    Reached reached = view.awaitHead(query.atLeast());
    return view.read(it -> FaultSelection.page(it, reached, query));
  }

  /** The span from the first event to now. It includes the newest error even if clocks disagree. */
  private TimeSpan recorded(Connection view, Instant now) throws SQLException {
    return recordedTime.until(Math.max(EpochNanos.of(now), edge(view, "MAX", new RowFilter()) + 1));
  }

  private static TimeSpan span(
      Connection view, ListFaults.Filter filter, List<FaultDimension> by, TimeSpan recorded)
      throws SQLException {
    long to = filter.until().map(EpochNanos::of).orElse(recorded.to());
    long from =
        filter.since().isPresent()
            ? EpochNanos.of(filter.since().get())
            : Math.min(edge(view, "MIN", FaultSelection.rowFilter(filter, by)), to);
    long begin = Math.max(0, from);
    return new TimeSpan(begin, Math.max(begin, to));
  }

  private static long edge(Connection view, String which, RowFilter rowFilter) throws SQLException {
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT %s(at) FROM faults WHERE TRUE%s".formatted(which, rowFilter.sql()))) {
      int _ = rowFilter.set(select, 1);
      try (ResultSet row = select.executeQuery()) {
        row.next();
        long at = row.getLong(1);
        return row.wasNull() ? 0 : at;
      }
    }
  }

  private static Groups groups(
      Connection view, Reached reached, GroupFaults query, TimeSpan span, TimeSpan recorded)
      throws SQLException {
    int limit = query.limit();
    RowFilter rowFilter = FaultSelection.rowFilter(query.filter().within(span), List.of());
    List<Found> found = find(view, rowFilter, limit + 1);
    boolean more = found.size() > limit;
    List<Found> shown = more ? found.subList(0, limit) : found;
    Map<Long, long[]> sparklines = sparklines(view, span, rowFilter, shown);
    Trend.Recorded parts = span.recordedParts(recorded);
    return new Groups(
        reached,
        EpochNanos.toInstant(span.from()),
        EpochNanos.toInstant(span.to()),
        span.partSeconds(),
        shown.stream()
            .map(it ->
                it.group(
                    sparklines.getOrDefault(it.fingerprint(), new long[TimeSpan.PARTS]), parts))
            .toList(),
        more);
  }

  private record Found(long fingerprint, long count, long firstAt, long lastAt, FaultGroup names) {
    FaultGroup group(long[] sparkline, Trend.Recorded parts) {
      return new FaultGroup(
          FaultKey.fingerprintText(fingerprint),
          names.dialect(),
          names.code(),
          names.fault(),
          names.gate(),
          names.target(),
          count,
          EpochNanos.toInstant(firstAt).toString(),
          EpochNanos.toInstant(lastAt).toString(),
          names.lastCallId(),
          Trend.of(sparkline, parts),
          Arrays.stream(sparkline).boxed().toList());
    }
  }

  private static List<Found> find(Connection view, RowFilter rowFilter, int limit)
      throws SQLException {
    List<Found> found = new ArrayList<>();
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT g.*, f.* FROM (SELECT fingerprint AS print, SUM(times) AS n, MIN(at) AS first_at, MAX(at) AS last_at, MAX(place) AS last FROM faults WHERE TRUE%s GROUP BY fingerprint ORDER BY n DESC, last DESC LIMIT ?) g JOIN faults f ON f.place = g.last ORDER BY g.n DESC, g.last DESC"
                .formatted(rowFilter.sql()))) {
      select.setInt(rowFilter.set(select, 1), limit);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          found.add(found(row));
        }
      }
    }
    return found;
  }

  private static Found found(ResultSet row) throws SQLException {
    String code = row.getString("code");
    FaultGroup names =
        new FaultGroup(
            "",
            row.getString("dialect"),
            code == null ? null : FaultKey.codeJson(code),
            row.getString("fault"),
            row.getString("gate"),
            row.getString("target"),
            0,
            "",
            "",
            row.getObject("call", UUID.class),
            Trend.UNCLEAR,
            List.of());
    return new Found(
        row.getLong("print"),
        row.getLong("n"),
        row.getLong("first_at"),
        row.getLong("last_at"),
        names);
  }

  private static Map<Long, long[]> sparklines(
      Connection view, TimeSpan span, RowFilter rowFilter, List<Found> groups) throws SQLException {
    Map<Long, long[]> sparklines = new HashMap<>();
    if (groups.isEmpty()) {
      return sparklines;
    }
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT fingerprint, (at - ?) / ? AS part, SUM(times) FROM faults WHERE TRUE%s AND fingerprint = ANY(?) GROUP BY fingerprint, part"
                .formatted(rowFilter.sql()))) {
      select.setLong(1, span.from());
      select.setLong(2, span.partNanos());
      Object[] prints = groups.stream().map(Found::fingerprint).toArray();
      select.setArray(rowFilter.set(select, 3), view.createArrayOf("BIGINT", prints));
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          long[] sparkline =
              sparklines.computeIfAbsent(row.getLong(1), _ -> new long[TimeSpan.PARTS]);
          sparkline[row.getInt(2)] += row.getLong(3);
        }
      }
    }
    return sparklines;
  }
}
