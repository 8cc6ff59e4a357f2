package gatebook.api.flow.run;

import gatebook.api.flow.executor.TreeServices;
import gatebook.api.flow.task.ExecutionFact;
import gatebook.api.flow.task.ExecutionListener;
import gatebook.api.flow.task.TaskRelations;
import gatebook.api.flow.webhook.WebhookConfigJson;
import gatebook.api.flow.webhook.WebhookDelivery;
import gatebook.api.flow.webhook.WebhookMessage;
import gatebook.api.flow.webhook.WebhookQueue;
import gatebook.api.flow.webhook.WebhookServices;
import gatebook.command.tree.GetTree;
import gatebook.command.tree.ReadTask;
import gatebook.command.tree.TaskKey;
import gatebook.command.tree.TreeTask;
import gatebook.command.tree.execution.GetWebhook;
import gatebook.command.tree.execution.TakeOverWebhook;
import gatebook.command.tree.execution.WebhookDraft;
import gatebook.events.tree.TreeStatus;
import gatebook.query.trees.OpenWebhook;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Webhooks of the trees that run in this process, and of those that ended in one that died. */
public final class TreeWebhooks {
  private static final Logger LOG = LoggerFactory.getLogger(TreeWebhooks.class);
  private static final String BLOCKED = "A task that it requires was not completed";

  private final TreeServices services;
  private final WebhookServices webhookServices;

  public TreeWebhooks(TreeServices services, WebhookServices webhookServices) {
    this.services = services;
    this.webhookServices = webhookServices;
  }

  /** The listeners of an execution, with its webhook if it has one. */
  List<ExecutionListener> joined(
      List<ExecutionListener> listeners,
      TreeRunner.Execution execution,
      GetTree.Result tree,
      Optional<String> config) {
    return Stream.concat(
            listeners.stream(),
            config.stream()
                .map(json ->
                    queue(execution, TaskRelations.rootId(tree.tasks(), execution.taskId()), json)))
        .toList();
  }

  /** The configuration of a draft. */
  static Optional<String> config(@Nullable WebhookDraft draft) {
    return Optional.ofNullable(draft).map(WebhookDraft::config);
  }

  /** The configuration of the webhook of an execution that is taken over. */
  CompletableFuture<Optional<String>> config(UUID executionId) {
    return webhook(executionId).thenApply(GetWebhook.Result::config);
  }

  private CompletableFuture<GetWebhook.Result> webhook(UUID executionId) {
    return services
        .retryingSender()
        .query(rules -> new GetWebhook(executionId, rules.hash()), GetWebhook.Result.class);
  }

  private ExecutionListener queue(TreeRunner.Execution execution, String root, String config) {
    WebhookDelivery delivery =
        new WebhookDelivery(
            services,
            webhookServices,
            execution.executionId(),
            root,
            WebhookConfigJson.read(config));
    return new WebhookQueue(told -> message(told, execution).thenCompose(delivery::deliver));
  }

  private CompletableFuture<WebhookMessage> message(
      WebhookQueue.ToldFact told, TreeRunner.Execution execution) {
    WebhookMessage message = WebhookMessage.of(told.fact(), told.share(), execution.taskId());
    return message.isFinal()
        ? services
            .readTask(new TaskKey(execution.owner(), execution.taskId()))
            .thenApply(task -> task.map(it -> ended(message, it)).orElse(message))
        : CompletableFuture.completedFuture(message);
  }

  /** A task that was changed since then is about another execution. */
  private static WebhookMessage ended(WebhookMessage message, ReadTask read) {
    TreeTask task = read.task();
    if (task.updatedAt().isAfter(message.at())) {
      return message;
    }
    return task.status() == TreeStatus.PENDING && message.status() == TreeStatus.FAILED
        ? message.with(null, BLOCKED)
        : message.with(read);
  }

  /** Takes over the webhook of an execution that ended, and delivers the end. */
  public CompletableFuture<Void> takeOver(OpenWebhook open) {
    return services
        .retryingSender()
        .command(
            _ ->
                new TakeOverWebhook(
                    open.executionId(), open.claimedAt(), services.clock().instant()),
            Boolean.class)
        .thenCompose(isMine -> isMine ? tellEnd(open) : CompletableFuture.completedFuture(null));
  }

  private CompletableFuture<Void> tellEnd(OpenWebhook open) {
    TreeRunner.Execution execution =
        new TreeRunner.Execution(open.treeId(), open.executionId(), open.owner(), open.taskId());
    return webhook(open.executionId())
        .thenCombine(
            tree(open),
            (found, tree) -> {
              tellEnd(execution, found, tree);
              return null;
            });
  }

  private CompletableFuture<GetTree.Result> tree(OpenWebhook open) {
    return services
        .retryingSender()
        .query(
            rules -> new GetTree(open.treeId(), open.owner(), rules.hash()), GetTree.Result.class);
  }

  private void tellEnd(
      TreeRunner.Execution execution, GetWebhook.Result found, GetTree.Result tree) {
    if (found.config().isPresent() && found.end().isPresent()) {
      GetWebhook.End end = found.end().get();
      queue(execution, TaskRelations.rootId(tree.tasks(), execution.taskId()), found.config().get())
          .on(new ExecutionFact.ExecutionEnded(end.status(), end.blocked(), end.at()), 1);
    } else {
      LOG.atError()
          .addKeyValue("tree_id", execution.treeId())
          .log("the webhook of a tree's execution cannot be read: this node has another key");
    }
  }

  void close() {
    webhookServices.client().close();
  }
}
