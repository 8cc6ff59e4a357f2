package gatebook.command.tree.handler;

import gatebook.command.keep.PayloadCipher.Unsealed;
import gatebook.command.keep.PayloadRecorder;
import gatebook.command.keep.PayloadRecorders;
import gatebook.command.rules.RulesByHash;
import gatebook.command.tree.GetTree;
import gatebook.command.tree.GetTreeTask;
import gatebook.command.tree.ReadTask;
import gatebook.command.tree.TreeEntity;
import gatebook.command.tree.TreeTask;
import gatebook.command.tree.TreeTaskEntity;
import gatebook.command.tree.execution.GetWebhook;
import gatebook.command.tree.execution.OpenDelivery;
import gatebook.command.tree.execution.TreeWebhookEntity;
import gatebook.events.TreeExecutionStarted;
import gatebook.events.call.SealedContent;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.axonframework.messaging.queryhandling.annotation.QueryHandler;
import org.axonframework.modelling.annotation.InjectEntity;
import org.jspecify.annotations.Nullable;

/** Handles the queries about trees of tasks, from the entities: an owner finds what it was told. */
public final class TreeQueryHandlers {
  private final RulesByHash rulesByHash;
  private final PayloadRecorders payloadRecorders;

  public TreeQueryHandlers(RulesByHash rulesByHash, PayloadRecorders payloadRecorders) {
    this.rulesByHash = rulesByHash;
    this.payloadRecorders = payloadRecorders;
  }

  @QueryHandler
  public GetTree.Result handle(GetTree query, @InjectEntity TreeEntity tree) {
    PayloadRecorder recorder = payloadRecorders.of(rulesByHash.get(query.rulesHash()));
    List<ReadTask> tasks =
        tree.tasks().all().stream()
            .filter(task -> task.key().owner().equals(query.owner()))
            .map(task -> read(task, recorder))
            .toList();
    Set<String> executing =
        tree.tasks().of(query.owner()).executionScope().stream()
            .map(TreeTask::id)
            .collect(Collectors.toSet());
    TreeExecutionStarted execution = tree.tasks().of(query.owner()).execution();
    return new GetTree.Result(tasks, executing, execution == null ? null : execution.correlation());
  }

  @QueryHandler
  public GetTreeTask.Result handle(GetTreeTask query, @InjectEntity TreeTaskEntity entity) {
    PayloadRecorder recorder = payloadRecorders.of(rulesByHash.get(query.rulesHash()));
    return new GetTreeTask.Result(
        Optional.ofNullable(entity.task()).map(task -> read(task, recorder)));
  }

  @QueryHandler
  public GetWebhook.Result handle(GetWebhook query, @InjectEntity TreeWebhookEntity entity) {
    OpenDelivery open = entity.open();
    if (open == null) {
      return new GetWebhook.Result(Optional.empty(), Optional.empty());
    }
    PayloadRecorder recorder = payloadRecorders.of(rulesByHash.get(query.rulesHash()));
    return new GetWebhook.Result(
        recorder.unseal(query.executionId(), open.webhook().config())
                instanceof Unsealed.Opened(var config)
            ? Optional.of(config)
            : Optional.empty(),
        Optional.ofNullable(open.end())
            .map(end -> new GetWebhook.End(end.status(), end.blocked(), end.endedAt())));
  }

  private static ReadTask read(TreeTask task, PayloadRecorder recorder) {
    return new ReadTask(
        task,
        unsealed(task, task.content().definition(), recorder),
        unsealed(task, task.result(), recorder));
  }

  private static @Nullable String unsealed(
      TreeTask task, @Nullable SealedContent content, PayloadRecorder recorder) {
    return content != null
            && recorder.unseal(task.key().sealId(), content) instanceof Unsealed.Opened(var text)
        ? text
        : null;
  }
}
