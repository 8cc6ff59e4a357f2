package gatebook.query.faults;

import gatebook.events.journal.Journal;
import gatebook.query.calls.CallEvents;
import gatebook.query.projection.EpochNanos;
import gatebook.query.projection.EventReader;
import gatebook.query.projection.View;
import gatebook.query.projection.View.Reached;
import gatebook.query.projection.ViewFile;
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
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.axonframework.messaging.queryhandling.annotation.QueryHandler;
import org.jspecify.annotations.Nullable;

/**
 * Answers queries about faults, in groups: how often each occurred, since when, and with what
 * trend.
 */
public final class FaultQueries {
  /** The number of parts of a sparkline. */
  public static final int PARTS = 24;

  /** The form of a group's fingerprint, as a regular expression. */
  public static final String FINGERPRINT_TEXT = FaultKey.FINGERPRINT_TEXT;

  /** Stands for all error codes that no vocabulary of the dialect defines. */
  public static final String OTHER_CODE = FaultKey.OTHER_CODE;

  private final Journal journal;
  private final View view;

  /** The time of the journal's first event; absent while the journal is empty. */
  private volatile @Nullable Long firstEventAt;

  private FaultQueries(Journal journal, View view) {
    this.journal = journal;
    this.view = view;
  }

  /** Starts following the journal with the view in this file. */
  public static FaultQueries follow(ViewFile views, Journal journal, EventReader reader) {
    CallEvents callEvents = new CallEvents(journal);
    return new FaultQueries(
        journal, View.follow(views, journal, new FaultsProjection(callEvents::of), reader));
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

  /** A time span in nanoseconds; {@code from} is inclusive, {@code to} is exclusive. */
  record Span(long from, long to) {
    /** The length of a part, rounded up so that the last part is inside the span. */
    long partNanos() {
      return Math.max(1, Math.ceilDiv(to - from, (long) PARTS));
    }

    double partSeconds() {
      return (double) partNanos() / TimeUnit.SECONDS.toNanos(1);
    }

    /** The parts that lie completely within another span. */
    Trend.Recorded recordedParts(Span other) {
      long first = Math.ceilDiv(Math.clamp(other.from, from, to) - from, partNanos());
      long last = to <= other.to ? PARTS : (Math.clamp(other.to, from, to) - from) / partNanos();
      return new Trend.Recorded((int) first, (int) last, partNanos());
    }
  }

  @QueryHandler
  Groups handle(GroupFaults query) throws InterruptedException {
    Reached reached = view.awaitHead(query.atLeast());
    return view.read(it -> {
      Span recorded = recorded(it, query.now());
      Span span = span(it, query.since(), query.until(), recorded);
      return groups(it, reached, span, recorded, query.limit());
    });
  }

  @QueryHandler
  Rates handle(RateFaults query) throws InterruptedException {
    Reached reached = view.awaitHead(query.atLeast());
    return view.read(it -> {
      Span recorded = recorded(it, query.now());
      Span span = span(it, query.since(), query.until(), recorded);
      List<FaultRate> found =
          new FaultRateReader(it, query.by(), span, recorded).read(query.limit() + 1);
      return new Rates(
          reached,
          EpochNanos.toInstant(span.from()),
          EpochNanos.toInstant(span.to()),
          span.partSeconds(),
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
  private Span recorded(Connection view, Instant now) throws SQLException {
    long to = Math.max(EpochNanos.of(now), edge(view, "MAX") + 1);
    return new Span(Objects.requireNonNullElse(firstEventAt(), to), to);
  }

  private @Nullable Long firstEventAt() {
    Long began = firstEventAt;
    if (began == null) {
      began =
          journal.read(0, 1).stream().map(it -> EpochNanos.of(it.at())).findFirst().orElse(null);
      firstEventAt = began;
    }
    return began;
  }

  private static Span span(
      Connection view, Optional<Instant> since, Optional<Instant> until, Span recorded)
      throws SQLException {
    long to = until.map(EpochNanos::of).orElse(recorded.to());
    long from = since.isPresent() ? EpochNanos.of(since.get()) : Math.min(edge(view, "MIN"), to);
    long begin = Math.max(0, from);
    return new Span(begin, Math.max(begin, to));
  }

  private static long edge(Connection view, String which) throws SQLException {
    try (PreparedStatement select =
            view.prepareStatement("SELECT %s(at) FROM faults".formatted(which));
        ResultSet row = select.executeQuery()) {
      row.next();
      long at = row.getLong(1);
      return row.wasNull() ? 0 : at;
    }
  }

  private static Groups groups(
      Connection view, Reached reached, Span span, Span recorded, int limit) throws SQLException {
    List<Found> found = find(view, span, limit + 1);
    boolean more = found.size() > limit;
    List<Found> shown = more ? found.subList(0, limit) : found;
    Map<Long, long[]> sparklines = sparklines(view, span, shown);
    Trend.Recorded parts = span.recordedParts(recorded);
    return new Groups(
        reached,
        EpochNanos.toInstant(span.from()),
        EpochNanos.toInstant(span.to()),
        span.partSeconds(),
        shown.stream()
            .map(it -> it.group(sparklines.getOrDefault(it.fingerprint(), new long[PARTS]), parts))
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

  private static List<Found> find(Connection view, Span span, int limit) throws SQLException {
    List<Found> found = new ArrayList<>();
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT g.*, f.* FROM (SELECT fingerprint AS print, SUM(times) AS n, MIN(at) AS"
                + " first_at, MAX(at) AS last_at, MAX(place) AS last FROM faults WHERE at >= ?"
                + " AND at < ? GROUP BY fingerprint ORDER BY n DESC, last DESC LIMIT ?) g JOIN"
                + " faults f ON f.place = g.last ORDER BY g.n DESC,"
                + " g.last DESC")) {
      select.setLong(1, span.from());
      select.setLong(2, span.to());
      select.setInt(3, limit);
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

  private static Map<Long, long[]> sparklines(Connection view, Span span, List<Found> groups)
      throws SQLException {
    Map<Long, long[]> sparklines = new HashMap<>();
    if (groups.isEmpty()) {
      return sparklines;
    }
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT fingerprint, (at - ?) / ? AS part, SUM(times) FROM faults"
                + " WHERE at >= ? AND at < ? AND fingerprint = ANY(?)"
                + " GROUP BY fingerprint, part")) {
      select.setLong(1, span.from());
      select.setLong(2, span.partNanos());
      select.setLong(3, span.from());
      select.setLong(4, span.to());
      Object[] prints = groups.stream().map(Found::fingerprint).toArray();
      select.setArray(5, view.createArrayOf("BIGINT", prints));
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          sparklines.computeIfAbsent(row.getLong(1), _ -> new long[PARTS])[row.getInt(2)] +=
              row.getLong(3);
        }
      }
    }
    return sparklines;
  }
}
