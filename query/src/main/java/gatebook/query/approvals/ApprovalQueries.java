package gatebook.query.approvals;

import gatebook.events.journal.Journal;
import gatebook.query.calls.CallEvents;
import gatebook.query.projection.View;
import gatebook.query.projection.ViewFile;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * What persons are asked, and were.
 *
 * <p>The view knows which calls somebody is asked about; the questions are read from the journal
 * when somebody wants to see them.
 */
public final class ApprovalQueries {
  /** How many questions one answer shows. */
  public static final int PAGE_MAX = 1_000;

  private final View view;
  private final CallEvents events;

  private ApprovalQueries(View view, CallEvents events) {
    this.view = view;
    this.events = events;
  }

  /**
   * Some questions.
   *
   * @param more whether there are others
   */
  public record Page(List<ApprovalQuestion> questions, boolean more) {
    public Page {
      questions = List.copyOf(questions);
    }
  }

  /** Starts keeping the view in this file up with the journal. */
  public static ApprovalQueries follow(ViewFile views, Journal journal) {
    return new ApprovalQueries(
        View.follow(views, journal, new ApprovalsProjection()), new CallEvents(journal));
  }

  /**
   * The questions that wait, oldest first. Waits, a moment at most, for the view to know all that
   * the journal held when it was asked.
   */
  public Page waiting(int limit) throws InterruptedException {
    return page(limit, ApprovalsProjection::waiting, true);
  }

  /** The questions that wait no longer, newest first; waits as {@link #waiting}. */
  public Page closed(int limit) throws InterruptedException {
    return page(limit, ApprovalsProjection::closed, false);
  }

  /** What was asked about a call, as the journal tells it now; empty when nobody was. */
  public Optional<ApprovalQuestion> of(UUID call) {
    QuestionHistory questionHistory = new QuestionHistory();
    events.of(call).forEach(questionHistory::tell);
    return questionHistory.question();
  }

  public View view() {
    return view;
  }

  @FunctionalInterface
  private interface Selection {
    List<UUID> in(Connection view, int limit) throws SQLException;
  }

  /** What was answered since the view was written is left out of those that wait. */
  private Page page(int limit, Selection selection, boolean waiting) throws InterruptedException {
    view.reach(0);
    int shown = Math.min(limit, PAGE_MAX);
    List<UUID> found = view.read(it -> selection.in(it, shown + 1));
    return new Page(
        found.stream()
            .limit(shown)
            .flatMap(call -> of(call).stream())
            .filter(it -> waiting == (it.standing() == ApprovalQuestion.Standing.WAITING))
            .toList(),
        found.size() > shown);
  }
}
