package gatebook.api.flow;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.flow.task.ExecutionFact.ExecutionEnded;
import gatebook.api.flow.task.ExecutionFact.TaskEnded;
import gatebook.api.flow.task.ExecutionFact.TaskHeld;
import gatebook.api.flow.task.ExecutionFact.TaskRetried;
import gatebook.api.flow.task.ExecutionFact.TaskStarted;
import gatebook.events.tree.TreeStatus;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The events of a stream of progress. */
final class ProgressEventsTest {
  private static final Instant NOON = Instant.parse("2026-10-01T12:00:00Z");

  private final ProgressEvents events = new ProgressEvents("r", () -> NOON);

  @Test
  void startIsTold() {
    assertThat(events.of(new TaskStarted("k", NOON), 0))
        .isEqualTo(
            json(
                "{'type':'task_start','task_id':'k','status':'in_progress',"
                    + "'timestamp':'2026-10-01T12:00:00Z'}"));
  }

  @Test
  void waitForAnApprovalIsProgress() {
    assertThat(events.of(new TaskHeld("k", NOON), 0.25))
        .isEqualTo(
            json(
                "{'type':'progress','task_id':'k','status':'in_progress',"
                    + "'timestamp':'2026-10-01T12:00:00Z','progress':0.25,"
                    + "'message':'The task waits for an approval'}"));
  }

  @Test
  void retryIsToldWithItsStart() {
    assertThat(events.of(new TaskRetried("k", NOON.plusSeconds(4), NOON), 0))
        .isEqualTo(
            json(
                "{'type':'task_retry','task_id':'k','status':'in_progress',"
                    + "'timestamp':'2026-10-01T12:00:00Z','starts_at':'2026-10-01T12:00:04Z'}"));
  }

  @Test
  void completionIsToldWithTheResult() {
    assertThat(events.of(completed("k"), 1.0 / 3))
        .isEqualTo(
            json(
                "{'type':'task_completed','task_id':'k','status':'completed',"
                    + "'timestamp':'2026-01-02T03:04:07Z','result':{'n': 1.50}}",
                progress("0.3333", "Task 'k': completed")));
  }

  @Test
  void failureIsToldWithItsError() {
    assertThat(events.of(failed("k"), 0.5))
        .isEqualTo(
            json(
                "{'type':'task_failed','task_id':'k','status':'failed',"
                    + "'timestamp':'2026-01-02T03:04:07Z','error':'no'}",
                progress("0.5", "Task 'k': failed")));
  }

  @Test
  void cancellationIsToldWithItsError() {
    assertThat(
            events.of(
                new TaskEnded(FlowTasks.cancelled(FlowTasks.draft("k"), "Cancelled by user")), 1))
        .isEqualTo(
            json(
                "{'type':'task_cancelled','task_id':'k','status':'cancelled',"
                    + "'timestamp':'2026-01-02T03:04:07Z','error':'Cancelled by user'}",
                progress("1.0", "Task 'k': cancelled")));
  }

  @Test
  void finalEventHasTheNamedTasksResult() {
    assertThat(events.of(completed("r"), 1)).hasSize(2);
    assertThat(events.of(new ExecutionEnded(TreeStatus.COMPLETED, List.of(), NOON), 1))
        .isEqualTo(
            json(
                "{'type':'final','task_id':'r','status':'completed',"
                    + "'timestamp':'2026-10-01T12:00:00Z','final':true,'result':{'n': 1.50},"
                    + "'blocked_tasks':[]}",
                "{'type':'stream_end','task_id':'r'}"));
  }

  @Test
  void finalEventNamesBlockedTasks() {
    assertThat(events.of(failed("k"), 0.5)).hasSize(2);
    assertThat(events.of(new ExecutionEnded(TreeStatus.FAILED, List.of("r", "q"), NOON), 0.5))
        .isEqualTo(
            json(
                "{'type':'final','task_id':'r','status':'failed',"
                    + "'timestamp':'2026-10-01T12:00:00Z','final':true,"
                    + "'error':'Not all tasks were completed','blocked_tasks':['r','q']}",
                "{'type':'stream_end','task_id':'r'}"));
  }

  @Test
  void finalEventHasTheNamedTasksError() {
    assertThat(events.of(failed("r"), 1)).hasSize(2);
    assertThat(events.of(new ExecutionEnded(TreeStatus.FAILED, List.of(), NOON), 1).getFirst())
        .isEqualTo(
            json("{'type':'final','task_id':'r','status':'failed',"
                    + "'timestamp':'2026-10-01T12:00:00Z','final':true,'error':'no',"
                    + "'blocked_tasks':[]}")
                .getFirst());
  }

  @Test
  void completedRootOfAFailedTreeHasBoth() {
    assertThat(events.of(completed("r"), 1)).hasSize(2);
    assertThat(events.of(new ExecutionEnded(TreeStatus.FAILED, List.of(), NOON), 1).getFirst())
        .isEqualTo(
            json("{'type':'final','task_id':'r','status':'failed',"
                    + "'timestamp':'2026-10-01T12:00:00Z','final':true,'result':{'n': 1.50},"
                    + "'error':'Not all tasks were completed','blocked_tasks':[]}")
                .getFirst());
  }

  @Test
  void progressNeverFalls() {
    assertThat(events.of(completed("k"), 0.99999).getLast())
        .isEqualTo(json(progress("0.9999", "Task 'k': completed")).getFirst());
    assertThat(events.of(completed("l"), 0.5).getLast())
        .isEqualTo(json(progress("0.9999", "Task 'l': completed")).getFirst());
  }

  @Test
  void timeoutIsNotFinal() {
    assertThat(events.timeout())
        .isEqualTo(
            json(
                "{'type':'timeout','task_id':'r','status':'in_progress',"
                    + "'timestamp':'2026-10-01T12:00:00Z','progress':0.0,"
                    + "'message':'The stream has ended, and the execution goes on'}"));
    assertThat(events.haveEnded()).isTrue();
  }

  @Test
  void nothingFollowsTheEnd() {
    ExecutionEnded end = new ExecutionEnded(TreeStatus.COMPLETED, List.of(), NOON);
    assertThat(events.of(end, 1)).hasSize(2);

    assertThat(events.haveEnded()).isTrue();
    assertThat(events.of(end, 1)).isEmpty();
    assertThat(events.of(new TaskStarted("k", NOON), 1)).isEmpty();
    assertThat(events.timeout()).isEmpty();
  }

  private static TaskEnded completed(String id) {
    return new TaskEnded(FlowTasks.completed(FlowTasks.draft(id), "{\"n\": 1.50}"));
  }

  private static TaskEnded failed(String id) {
    return new TaskEnded(FlowTasks.failed(FlowTasks.draft(id), "no"));
  }

  /** Quotation marks within the message are those of the text. */
  private static String progress(String progress, String message) {
    return "{'type':'progress','task_id':'r','status':'in_progress',"
        + "'timestamp':'2026-01-02T03:04:07Z','progress':%s,'message':'%s'}"
            .formatted(progress, message.replace('\'', '`'));
  }

  private static List<String> json(String... texts) {
    return List.of(texts).stream().map(text -> text.replace('\'', '"').replace('`', '\'')).toList();
  }
}
