package gatebook.command.tree.handler;

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
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.axonframework.messaging.queryhandling.annotation.QueryHandler;
import org.axonframework.modelling.annotation.InjectEntity;

/** Handles the queries about trees of tasks, from the entities: an owner finds what it was told. */
public final class TreeQueryHandlers {
  @QueryHandler
  public GetTree.Result handle(GetTree query, @InjectEntity TreeEntity tree) {
    List<ReadTask> tasks =
        tree.tasks().all().stream()
            .filter(task -> task.key().owner().equals(query.owner()))
            .map(TreeQueryHandlers::read)
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
    return new GetTreeTask.Result(Optional.ofNullable(entity.task()).map(TreeQueryHandlers::read));
  }

  @QueryHandler
  public GetWebhook.Result handle(GetWebhook query, @InjectEntity TreeWebhookEntity entity) {
    OpenDelivery open = entity.open();
    if (open == null) {
      return new GetWebhook.Result(Optional.empty(), Optional.empty());
    }
    return new GetWebhook.Result(
        Optional.ofNullable(open.webhook().config()),
        Optional.ofNullable(open.end())
            .map(end -> new GetWebhook.End(end.status(), end.blocked(), end.endedAt())));
  }

  private static ReadTask read(TreeTask task) {
    return new ReadTask(task, task.content().definition(), task.result());
  }
}
