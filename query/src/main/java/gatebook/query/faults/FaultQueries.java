package gatebook.query.faults;

import gatebook.events.journal.Journal;
import gatebook.query.call.CallEvents;
import gatebook.query.projection.EpochNanos;
import gatebook.query.projection.EventReader;
import gatebook.query.projection.View;
import gatebook.query.projection.View.Reached;
import gatebook.query.projection.ViewFile;
import gatebook.query.trend.RecordedTime;
import gatebook.query.trend.TimeSpan;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
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
    return view.readSnapshot(it -> {
      FaultTallies tallies = new FaultTallies(it, query.filter(), List.of());
      TimeSpan recorded = recorded(tallies, query.now());
      TimeSpan span = tallies.span(recorded);
      List<FaultGroup> found =
          new FaultGroupReader(tallies, span, recorded).read(query.limit() + 1);
      return new Groups(
          reached,
          EpochNanos.toInstant(span.from()),
          EpochNanos.toInstant(span.to()),
          span.partSeconds(),
          found.stream().limit(query.limit()).toList(),
          found.size() > query.limit());
    });
  }

  @QueryHandler
  Rates handle(CompareFaultRates query) throws InterruptedException {
    Reached reached = view.awaitHead(query.atLeast());
    return view.readSnapshot(it -> {
      FaultTallies tallies = new FaultTallies(it, query.filter(), query.by());
      TimeSpan recorded = recorded(tallies, query.now());
      TimeSpan span = tallies.span(recorded);
      List<FaultRate> found =
          new FaultRateReader(new FaultCountReader(tallies, query.by()), span, recorded)
              .read(query.limit() + 1);
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
    return view.readSnapshot(it -> {
      FaultTallies tallies = new FaultTallies(it, query.filter(), query.by());
      TimeSpan span = tallies.span(recorded(tallies, query.now()));
      List<FaultCount> found =
          new FaultCountReader(tallies, query.by()).read(span, query.limit() + 1);
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
    return view.readSnapshot(it -> FaultSelection.page(it, reached, query));
  }

  /** The span from the first event to now. It includes the newest error even if clocks disagree. */
  private TimeSpan recorded(FaultTallies tallies, Instant now) {
    return recordedTime.until(Math.max(EpochNanos.of(now), tallies.lastAt() + 1));
  }
}
