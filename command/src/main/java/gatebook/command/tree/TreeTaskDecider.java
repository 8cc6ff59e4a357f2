package gatebook.command.tree;

import gatebook.command.call.Decision;
import gatebook.command.keep.PayloadRecorder;
import gatebook.command.keep.PayloadRecorders;
import gatebook.command.redact.Scrubber;
import gatebook.command.rules.Rules;
import gatebook.command.tree.SettleTreeTask.Ending;
import gatebook.events.Event;
import gatebook.events.TreeTaskCancelled;
import gatebook.events.TreeTaskCompleted;
import gatebook.events.TreeTaskFailed;
import gatebook.events.TreeTaskRetried;
import gatebook.events.TreeTaskStarted;
import gatebook.events.fault.TaskFault;
import gatebook.events.keys.ContentOwner;
import gatebook.events.tree.TreeStatus;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Decides the transitions of one task of a tree. */
public final class TreeTaskDecider {
  private final PayloadRecorders payloadRecorders;
  private final Supplier<Scrubber> scrubber;
  private final UnaryOperator<String> publicText;

  /**
   * @param scrubber takes secrets out of what people wrote
   * @param publicText takes out of the errors of executors what no caller may see
   */
  public TreeTaskDecider(
      PayloadRecorders payloadRecorders,
      Supplier<Scrubber> scrubber,
      UnaryOperator<String> publicText) {
    this.payloadRecorders = payloadRecorders;
    this.scrubber = scrubber;
    this.publicText = publicText;
  }

  public static Decision<StartTreeTask.Outcome> decide(
      StartTreeTask command, @Nullable TreeTask task) {
    if (task == null || task.status() != TreeStatus.PENDING) {
      return new Decision<>(List.of(), new StartTreeTask.Outcome.NotPending());
    }
    if (!task.updatedAt().equals(command.updatedAt())) {
      return new Decision<>(List.of(), new StartTreeTask.Outcome.Changed());
    }
    int attempt = task.attempt() + 1;
    return new Decision<>(
        List.of(
            new TreeTaskStarted(
                task.treeId(),
                command.key().taskId(),
                command.key().owner(),
                command.executionId(),
                attempt,
                command.callId(),
                command.at())),
        new StartTreeTask.Outcome.Started(attempt));
  }

  /** Whether it is tried again: a task that was cancelled meanwhile stays cancelled. */
  public Decision<Boolean> decide(RetryTreeTask command, @Nullable TreeTask task) {
    return task != null && runs(task, command.attempt())
        ? new Decision<>(List.of(retried(command, task)), true)
        : new Decision<>(List.of(), false);
  }

  private TreeTaskRetried retried(RetryTreeTask command, TreeTask task) {
    return new TreeTaskRetried(
        task.treeId(),
        command.key().taskId(),
        command.key().owner(),
        command.attempt() + 1,
        publicText.apply(command.failure().error()),
        command.failure().code(),
        command.failedCallId(),
        command.callId(),
        command.startsAt(),
        command.at());
  }

  private static boolean runs(TreeTask task, int attempt) {
    return task.status() == TreeStatus.IN_PROGRESS && task.attempt() == attempt;
  }

  /** Whether it is settled: a task that was cancelled meanwhile stays cancelled. */
  public Decision<Boolean> decide(SettleTreeTask command, @Nullable TreeTask task, Rules rules) {
    return task != null && runs(task, command.attempt())
        ? new Decision<>(List.of(ended(command, task, rules)), true)
        : new Decision<>(List.of(), false);
  }

  private Event ended(SettleTreeTask command, TreeTask task, Rules rules) {
    PayloadRecorder recorder =
        payloadRecorders.of(rules, ContentOwner.at(command.key().owner(), command.at()));
    return switch (command.ending()) {
      case Ending.Result(var json) ->
          new TreeTaskCompleted(
              task.treeId(),
              command.key().taskId(),
              command.key().owner(),
              command.attempt(),
              command.callId(),
              recorder.keepResult(json),
              json,
              command.at());
      case Ending.Failure(var error, var code) ->
          new TreeTaskFailed(
              task.treeId(),
              command.key().taskId(),
              command.key().owner(),
              command.attempt(),
              publicText.apply(error),
              code,
              command.callId(),
              command.at());
    };
  }

  public Decision<TreeOutcome> decide(CancelTreeTask command, @Nullable TreeTask task) {
    String id = command.key().taskId();
    if (task == null) {
      return TreeOutcome.refused(new TaskFault.TaskNotFound(id));
    }
    if (task.status().isTerminal()) {
      return TreeOutcome.refused(
          new TaskFault.InvalidStateTransition(
              id,
              task.status().word(),
              TreeStatus.CANCELLED.word(),
              task.origin().archived()
                  ? TaskOrigin.ARCHIVED
                  : "Cannot transition from terminal state"));
    }
    return TreeOutcome.done(
        List.of(
            new TreeTaskCancelled(
                task.treeId(),
                id,
                command.key().owner(),
                scrubber.get().scrub(command.error()),
                command.callId(),
                command.at())));
  }
}
