package gatebook.query.errors;

import gatebook.events.fault.DefinedErrors;
import gatebook.events.journal.Journal;
import gatebook.events.vocabulary.EventVocabulary;
import gatebook.query.call.CallEvents;
import gatebook.query.counts.CountTable;
import gatebook.query.counts.NewestFirst;
import gatebook.query.counts.NewestFirst.RowPage;
import gatebook.query.counts.NewestFirst.Selected;
import gatebook.query.projection.EpochNanos;
import gatebook.query.projection.EventReader;
import gatebook.query.projection.View;
import gatebook.query.projection.View.Reached;
import gatebook.query.projection.ViewFile;
import gatebook.query.trend.RecordedTime;
import gatebook.query.trend.TimeSpan;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import org.axonframework.messaging.queryhandling.annotation.QueryHandler;
import org.jspecify.annotations.Nullable;

/**
 * Answers queries about denials and errors, which it counts in groups and lists. The counts are
 * exact: each denial, and each error, counts once.
 */
public final class ErrorQueries {
  /** The form of a group's fingerprint, as a regular expression. */
  public static final String FINGERPRINT_TEXT = ErrorKey.FINGERPRINT_TEXT;

  /** Stands for all error codes that no vocabulary of the dialect defines. */
  public static final String OTHER_CODE = DefinedErrors.OTHER_CODE;

  /** The columns of what is observed, by the names of those of a denial. */
  private static final String OBSERVED_COLUMNS =
      "NULL AS fingerprint, NULL AS dialect, NULL AS code, NULL AS fault, observed_gate AS gate,"
          + " observed_target AS target, NULL AS agent, NULL AS skill, principal,"
          + " observed_reason AS reason";

  private final View view;
  private final Journal journal;
  private final RecordedTime recordedTime;
  private final EventVocabulary eventVocabulary;

  private ErrorQueries(View view, Journal journal, EventVocabulary eventVocabulary) {
    this.view = view;
    this.journal = journal;
    this.eventVocabulary = eventVocabulary;
    this.recordedTime = new RecordedTime(journal);
  }

  /**
   * Starts following the journal with the view in this file.
   *
   * @param eventVocabulary reads the verdicts that are shown, with their content when it has keys
   */
  public static ErrorQueries follow(
      ViewFile views, Journal journal, EventReader reader, EventVocabulary eventVocabulary) {
    CallEvents callEvents = new CallEvents(journal, new EventVocabulary());
    return new ErrorQueries(
        View.follow(views, journal, new ErrorsProjection(callEvents::of), reader),
        journal,
        eventVocabulary);
  }

  public View view() {
    return view;
  }

  /**
   * The counts of a time span.
   *
   * @param since the start of the span: that of the query, else the time of the first one
   * @param until the end of the span: that of the query, else now
   * @param partSeconds the length of the parts of a sparkline, or of the shortest dimension that is
   *     a part of the time
   * @param total the count over all groups, including those not shown
   * @param groups the groups, largest first
   * @param more whether there are smaller groups
   */
  public record ErrorCounts(
      Reached reached,
      Instant since,
      Instant until,
      double partSeconds,
      long total,
      List<ErrorGroup> groups,
      boolean more) {
    public ErrorCounts {
      groups = List.copyOf(groups);
    }
  }

  @QueryHandler
  ErrorCounts handle(CountErrors query) throws InterruptedException {
    Reached reached = view.awaitHead(query.atLeast());
    return view.readSnapshot(it -> new ErrorCounter(it, query, recordedTime).count(reached));
  }

  /**
   * A page of denials or of errors, newest first.
   *
   * @param total the number of them on all pages
   * @param next the cursor of the next page; empty on the last page
   */
  public record ErrorPage(
      Reached reached, long total, List<ListedError> errors, OptionalLong next) {
    public ErrorPage {
      errors = List.copyOf(errors);
    }
  }

  @QueryHandler
  ErrorPage handle(ListErrors query) throws InterruptedException {
    Reached reached = view.awaitHead(query.atLeast());
    return view.readSnapshot(it -> page(it, reached, query));
  }

  private ErrorPage page(Connection connection, Reached reached, ListErrors query)
      throws SQLException {
    ErrorFilter filter = query.filter();
    RowPage<ListedError> page =
        NewestFirst.page(
            connection,
            filter.counted().tables().stream().map(it -> selected(filter, it)).toList(),
            query.after(),
            query.limit(),
            row -> listed(row, filter.counted()));
    long total =
        ErrorTallies.ofListed(connection, filter)
            .total(TimeSpan.of(filter.since(), filter.until()));
    return new ErrorPage(reached, total, page.rows(), page.next());
  }

  private static Selected selected(ErrorFilter filter, CountTable table) {
    return new Selected(
        table,
        TimeSpan.of(filter.since(), filter.until()),
        table.at()
            + " AS listed_at, place, call, times, "
            + (filter.counted() == Counted.OBSERVED
                ? OBSERVED_COLUMNS
                : "fingerprint, dialect, code, fault, gate, target, agent, skill, principal,"
                    + " reason"),
        filter.listedRowFilter(List.of()));
  }

  private ListedError listed(ResultSet row, Counted counted) throws SQLException {
    @Nullable Long fingerprint = row.getObject("fingerprint", Long.class);
    String code = row.getString("code");
    return new ListedError(
        row.getObject("call", UUID.class),
        EpochNanos.toInstant(row.getLong("listed_at")).toString(),
        row.getLong("times"),
        fingerprint == null ? null : ErrorKey.fingerprintText(fingerprint),
        row.getString("dialect"),
        code == null ? null : ErrorKey.shownCode(code),
        row.getString("fault"),
        row.getString("gate"),
        row.getString("target"),
        row.getString("agent"),
        row.getString("skill"),
        row.getString("principal"),
        row.getString("reason"),
        counted == Counted.OBSERVED
            ? BothVerdicts.at(row.getLong("place") / ErrorRow.ROWS_MAX, journal, eventVocabulary)
            : null);
  }
}
