package gatebook.query.errors;

import gatebook.events.fault.DefinedErrors;
import gatebook.events.journal.Journal;
import gatebook.events.vocabulary.EventVocabulary;
import gatebook.query.call.CallEvents;
import gatebook.query.projection.EpochNanos;
import gatebook.query.projection.EventReader;
import gatebook.query.projection.NewestFirst.RowPage;
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

  private final View view;
  private final RecordedTime recordedTime;

  private ErrorQueries(View view, RecordedTime recordedTime) {
    this.view = view;
    this.recordedTime = recordedTime;
  }

  /** Starts following the journal with the view in this file. */
  public static ErrorQueries follow(ViewFile views, Journal journal, EventReader reader) {
    CallEvents callEvents = new CallEvents(journal, new EventVocabulary());
    return new ErrorQueries(
        View.follow(views, journal, new ErrorsProjection(callEvents::of), reader),
        new RecordedTime(journal));
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

  private static ErrorPage page(Connection view, Reached reached, ListErrors query)
      throws SQLException {
    ErrorFilter filter = query.filter();
    String at = filter.counted().counts().rows().at();
    RowPage<ListedError> page =
        filter
            .counted()
            .counts()
            .rows()
            .page(
                view,
                at
                    + " AS listed_at, call, times, fingerprint, dialect, code, fault, gate, target,"
                    + " agent, skill, principal, reason",
                filter.listedRowFilter(List.of()).andIn(at, filter.since(), filter.until()),
                query.after(),
                query.limit(),
                ErrorQueries::listed);
    long total =
        ErrorTallies.ofListed(view, filter).total(TimeSpan.of(filter.since(), filter.until()));
    return new ErrorPage(reached, total, page.rows(), page.next());
  }

  private static ListedError listed(ResultSet row) throws SQLException {
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
        row.getString("reason"));
  }
}
