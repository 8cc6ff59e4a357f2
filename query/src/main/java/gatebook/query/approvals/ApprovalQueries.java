package gatebook.query.approvals;

import gatebook.events.journal.Journal;
import gatebook.events.vocabulary.EventVocabulary;
import gatebook.query.call.CallEvents;
import gatebook.query.projection.EventReader;
import gatebook.query.projection.View;
import gatebook.query.projection.ViewFile;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.axonframework.messaging.queryhandling.annotation.QueryHandler;

/**
 * Answers queries about the approvals that were requested, pending and decided ones.
 *
 * <p>The view knows the calls and their status. The questions are read from the journal at the time
 * of the query.
 */
public final class ApprovalQueries {
  /** The maximum number of questions on a page. */
  public static final int PAGE_MAX = 1_000;

  private final View view;
  private final CallEvents events;

  private ApprovalQueries(View view, CallEvents events) {
    this.view = view;
    this.events = events;
  }

  /**
   * A page of questions.
   *
   * @param more whether there are more
   */
  public record Page(List<ApprovalQuestion> questions, boolean more) {
    public Page {
      questions = List.copyOf(questions);
    }
  }

  /** Starts following the journal with the view in this file. */
  public static ApprovalQueries follow(
      ViewFile views, Journal journal, EventReader reader, EventVocabulary eventVocabulary) {
    return new ApprovalQueries(
        View.follow(views, journal, new ApprovalsProjection(), reader),
        new CallEvents(journal, eventVocabulary));
  }

  @QueryHandler
  Page handle(ListApprovals query) throws InterruptedException {
    return query.decided()
        ? page(query.limit(), ApprovalsProjection::closed, false)
        : page(query.limit(), ApprovalsProjection::waiting, true);
  }

  /** The question about a call, read from the journal; empty when no approval was requested. */
  public Optional<ApprovalQuestion> of(UUID call) {
    QuestionHistory questionHistory = new QuestionHistory();
    events.of(call).forEach(questionHistory::apply);
    return questionHistory.question();
  }

  public View view() {
    return view;
  }

  @FunctionalInterface
  private interface Selection {
    List<UUID> in(Connection view, int limit) throws SQLException;
  }

  /** Leaves out of the waiting questions those that were decided since the view was written. */
  private Page page(int limit, Selection selection, boolean waiting) throws InterruptedException {
    view.awaitHead(0);
    int shown = Math.min(limit, PAGE_MAX);
    List<UUID> found = view.read(it -> selection.in(it, shown + 1));
    return new Page(
        found.stream()
            .limit(shown)
            .flatMap(call -> of(call).stream())
            .filter(it -> waiting == (it.status() == ApprovalQuestion.ApprovalStatus.WAITING))
            .toList(),
        found.size() > shown);
  }
}
