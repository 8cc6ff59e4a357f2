package gatebook.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gatebook.query.approvals.ApprovalQueries;
import gatebook.query.approvals.ListApprovals;
import gatebook.query.calls.CallFilter;
import gatebook.query.calls.CallQueries;
import gatebook.query.calls.CallTaskPage;
import gatebook.query.calls.FindActivation;
import gatebook.query.calls.FindCallIds;
import gatebook.query.calls.FindCallRows;
import gatebook.query.calls.FindCalls;
import gatebook.query.calls.FindOutage;
import gatebook.query.calls.ListCallTasks;
import gatebook.query.calls.ListCalls;
import gatebook.query.calls.ListOpenCalls;
import gatebook.query.calls.ListRuleChanges;
import gatebook.query.calls.LookupResult;
import gatebook.query.errors.CountErrors;
import gatebook.query.errors.Counted;
import gatebook.query.errors.ErrorFilter;
import gatebook.query.errors.ErrorQueries;
import gatebook.query.errors.ListErrors;
import gatebook.query.projection.ViewFailed;
import gatebook.query.proof.InclusionProof;
import gatebook.query.proof.ProofQueries;
import gatebook.query.proof.ProveCall;
import gatebook.query.proof.ProveEvents;
import gatebook.query.trees.CountOpenTrees;
import gatebook.query.trees.CountTreeTasks;
import gatebook.query.trees.CountTrees;
import gatebook.query.trees.FindTaskChildren;
import gatebook.query.trees.FindTrees;
import gatebook.query.trees.ListOpenExecutions;
import gatebook.query.trees.ListOpenWebhooks;
import gatebook.query.trees.ListTreeTasks;
import gatebook.query.trees.ListTrees;
import gatebook.query.trees.TreeQueries;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Stream;
import org.axonframework.messaging.queryhandling.NoHandlerForQueryException;
import org.axonframework.messaging.queryhandling.annotation.QueryHandler;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
final class ViewQueriesTest {
  private static final Instant NOW = Instant.parse("2026-10-01T12:00:00Z");

  @TempDir private Path directory;

  @AutoClose private FollowedJournal followed;
  private Views views;

  @BeforeEach
  void open() {
    followed = FollowedJournal.in(directory);
    views =
        followed.follow(
            (file, journal, _, content) -> Views.follow(file, journal, content), Views::close);
  }

  /** A query and the class of its result. */
  private record Asked(Object query, Class<?> result) {}

  private static List<Asked> all() {
    return List.of(
        new Asked(new FindCalls("order-1", 0, Optional.empty()), LookupResult.class),
        new Asked(
            new ListCalls(CallFilter.ALL, OptionalLong.empty(), 1, 0), CallQueries.Page.class),
        new Asked(
            new ListCallTasks(
                "ada",
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                NOW,
                1,
                Optional.empty()),
            CallTaskPage.class),
        new Asked(new ListOpenCalls(0), CallQueries.OpenCalls.class),
        new Asked(new FindActivation("sha256:1", 1), CallQueries.FoundActivation.class),
        new Asked(new FindCallRows(List.of(new UUID(1, 2)), 0), CallQueries.FoundCallRows.class),
        new Asked(new FindCallIds("order-1", 0), CallQueries.FoundCallIds.class),
        new Asked(new FindOutage(NOW), CallQueries.FoundOutage.class),
        new Asked(new ListRuleChanges(OptionalLong.empty(), 1), CallQueries.RuleChangePage.class),
        new Asked(
            new CountErrors(ErrorFilter.all(Counted.DENIALS), List.of(), NOW, 1, 0),
            ErrorQueries.ErrorCounts.class),
        new Asked(
            new ListErrors(ErrorFilter.all(Counted.ERRORS), OptionalLong.empty(), 1, 0),
            ErrorQueries.ErrorPage.class),
        new Asked(new ListApprovals(false, 1), ApprovalQueries.Page.class),
        new Asked(
            new ListTrees(Optional.empty(), Optional.empty(), OptionalLong.empty(), 1, 0),
            TreeQueries.Page.class),
        new Asked(new CountTreeTasks("owner", false), TreeQueries.TaskCounts.class),
        new Asked(
            new FindTrees("task-1", List.of(), 0, Optional.empty()), TreeQueries.FoundTrees.class),
        new Asked(
            new ListTreeTasks("ada", Optional.empty(), false, 1, 0), TreeQueries.TaskPage.class),
        new Asked(new ListOpenExecutions(0), TreeQueries.OpenExecutions.class),
        new Asked(new ListOpenWebhooks(0), TreeQueries.OpenWebhooks.class),
        new Asked(new CountTrees("ada"), TreeQueries.TreeCount.class),
        new Asked(new CountOpenTrees("ada"), TreeQueries.OpenTreeCount.class),
        new Asked(new FindTaskChildren(new UUID(0, 1), "root"), TreeQueries.TaskChildren.class),
        new Asked(new ProveCall(new UUID(1, 2)), InclusionProof.class),
        new Asked(new ProveEvents(List.of(1L)), InclusionProof.class));
  }

  @Test
  void eachQueryHasItsHandler() throws InterruptedException {
    for (Asked asked : all()) {
      assertThat(views.queries().send(asked.query(), asked.result())).isInstanceOf(asked.result());
    }
  }

  @Test
  void everyHandlersQueryIsThere() {
    assertThat(all().stream().<Class<?>>map(asked -> asked.query().getClass()))
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(
                    CallQueries.class,
                    ErrorQueries.class,
                    ApprovalQueries.class,
                    TreeQueries.class,
                    ProofQueries.class)
                .flatMap(handlers -> Arrays.stream(handlers.getDeclaredMethods()))
                .filter(method -> method.isAnnotationPresent(QueryHandler.class))
                .<Class<?>>map(handler -> handler.getParameterTypes()[0])
                .toList());
  }

  @Test
  void aQueryWithoutAHandlerFails() {
    assertThatThrownBy(() -> views.queries().send("no query", String.class))
        .isInstanceOf(NoHandlerForQueryException.class);
  }

  static final class FailingHandler {
    private final ViewFailed failure = new ViewFailed(new SQLException("the disk is gone"));

    @QueryHandler
    String handle(ListApprovals query) {
      if (query.limit() == 1) {
        throw failure;
      }
      return "answered";
    }
  }

  @Test
  void aHandlersFailureIsTheSendersFailure() {
    FailingHandler handler = new FailingHandler();
    try (ViewQueries queries = ViewQueries.start(handler)) {
      assertThatThrownBy(() -> queries.send(new ListApprovals(false, 1), String.class))
          .isSameAs(handler.failure);
    }
  }

  @Test
  void anInterruptedSenderStopsWaiting() {
    Thread.currentThread().interrupt();

    assertThatThrownBy(() ->
            views.queries().send(new FindCalls("a", 1_000, Optional.empty()), LookupResult.class))
        .isInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void aWaitingQueryEndsWithTheViews() throws Exception {
    Thread closing = Thread.ofVirtual().start(views::close);

    assertThat(views.queries().send(new ListOpenCalls(1_000), CallQueries.OpenCalls.class))
        .isEqualTo(new CallQueries.OpenCalls(List.of()));
    closing.join();
  }
}
