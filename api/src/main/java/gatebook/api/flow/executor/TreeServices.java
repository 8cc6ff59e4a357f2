package gatebook.api.flow.executor;

import gatebook.api.gateway.CommandSender;
import gatebook.api.gateway.QuerySender;
import gatebook.api.gateway.RecordedTaskChanges;
import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.command.tree.GetTreeTask;
import gatebook.command.tree.ReadTask;
import gatebook.command.tree.TaskKey;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * The services that trees of tasks use.
 *
 * @param version of the gateway
 */
public record TreeServices(
    CommandSender commandSender,
    QuerySender querySender,
    Supplier<RoutingSnapshot> routingSnapshots,
    RetryingSender retryingSender,
    ExecutorRegistry executorRegistry,
    TaskExecutors taskExecutors,
    RecordedTaskChanges recordedTaskChanges,
    InstantSource clock,
    String version) {

  /** A task as the journal has it; empty when it was deleted. */
  public CompletableFuture<Optional<ReadTask>> readTask(TaskKey key) {
    return retryingSender
        .query(rules -> new GetTreeTask(key, rules.hash()), GetTreeTask.Result.class)
        .thenApply(GetTreeTask.Result::task);
  }

  /** The result of a task as the journal has it; a link has that of its original. */
  public CompletableFuture<Optional<String>> readResult(TaskKey key) {
    return readTask(key)
        .thenCompose(found -> LinkResults.with(found.stream().toList(), retryingSender::query))
        .thenApply(tasks -> tasks.stream().findFirst().map(ReadTask::result));
  }
}
