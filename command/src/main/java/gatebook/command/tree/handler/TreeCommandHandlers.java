package gatebook.command.tree.handler;

import gatebook.command.keep.PayloadRecorders;
import gatebook.command.redact.Scrubber;
import gatebook.command.rules.Rules;
import gatebook.command.rules.RulesByHash;
import gatebook.command.tree.ArchiveTasks;
import gatebook.command.tree.CancelTreeTask;
import gatebook.command.tree.ChangeTree;
import gatebook.command.tree.CopyTasks;
import gatebook.command.tree.CreateTree;
import gatebook.command.tree.OwnersChanges;
import gatebook.command.tree.RetryTreeTask;
import gatebook.command.tree.SettleTreeTask;
import gatebook.command.tree.StartTreeTask;
import gatebook.command.tree.TakenTaskIds;
import gatebook.command.tree.TreeDecider;
import gatebook.command.tree.TreeEntity;
import gatebook.command.tree.TreeOutcome;
import gatebook.command.tree.TreeShapeEntity;
import gatebook.command.tree.TreeTaskDecider;
import gatebook.command.tree.TreeTaskEntity;
import gatebook.command.tree.execution.EndExecution;
import gatebook.command.tree.execution.ExecutionDecider;
import gatebook.command.tree.execution.RecordDelivery;
import gatebook.command.tree.execution.StartExecution;
import gatebook.command.tree.execution.TakeOverExecution;
import gatebook.command.tree.execution.TakeOverWebhook;
import gatebook.command.tree.execution.TreeExecutionEntity;
import gatebook.command.tree.execution.TreeWebhookEntity;
import gatebook.command.tree.execution.WebhookDecider;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.axonframework.messaging.commandhandling.annotation.CommandHandler;
import org.axonframework.messaging.core.unitofwork.ProcessingContext;
import org.axonframework.messaging.eventhandling.gateway.EventAppender;
import org.axonframework.modelling.annotation.InjectEntity;

/**
 * Handles the commands about trees of tasks. A change of a tree's shape loads the shape, and the
 * task that it changes; a transition of a task loads that task alone, and the end of an execution
 * that execution and the latest changes by the owner; an execution that begins loads the whole
 * tree.
 */
public final class TreeCommandHandlers {
  private final RulesByHash rulesByHash;
  private final TreeDecider treeDecider;
  private final TreeTaskDecider treeTaskDecider;
  private final WebhookDecider webhookDecider;

  /**
   * @param scrubber takes secrets out of what operators see
   * @param publicText takes out of the errors of executors what no caller may see
   */
  public TreeCommandHandlers(
      RulesByHash rulesByHash,
      PayloadRecorders payloadRecorders,
      Supplier<Scrubber> scrubber,
      UnaryOperator<String> publicText) {
    this.rulesByHash = rulesByHash;
    this.treeDecider = new TreeDecider(payloadRecorders, scrubber);
    this.treeTaskDecider = new TreeTaskDecider(payloadRecorders, scrubber, publicText);
    this.webhookDecider = new WebhookDecider(scrubber);
  }

  @CommandHandler
  TreeOutcome handle(CreateTree command, @InjectEntity TakenTaskIds taken, EventAppender events) {
    return treeDecider
        .decide(command, taken, rulesByHash.get(command.rulesHash()))
        .appendTo(events);
  }

  @CommandHandler
  TreeOutcome handle(
      ChangeTree command,
      @InjectEntity TreeShapeEntity shape,
      @InjectEntity(idProperty = ChangeTree.CHANGED_TASK) TreeTaskEntity changed,
      @InjectEntity(idProperty = ChangeTree.WANTED_IDS) TakenTaskIds taken,
      EventAppender events) {
    return treeDecider
        .decide(
            command,
            shape.tasks().of(command.owner()),
            changed.task(),
            taken,
            rulesByHash.get(command.rulesHash()))
        .appendTo(events);
  }

  @CommandHandler
  TreeOutcome handle(
      CopyTasks command,
      @InjectEntity TreeEntity sources,
      @InjectEntity(idProperty = CopyTasks.WANTED_IDS) TakenTaskIds taken,
      EventAppender events) {
    return treeDecider
        .decide(
            command,
            sources.tasks().of(command.owner()),
            taken,
            rulesByHash.get(command.rulesHash()))
        .appendTo(events);
  }

  @CommandHandler
  TreeOutcome handle(ArchiveTasks command, @InjectEntity TreeEntity tree, EventAppender events) {
    return TreeDecider.decide(command, tree.tasks().of(command.owner())).appendTo(events);
  }

  @CommandHandler
  TreeOutcome handle(StartExecution command, @InjectEntity TreeEntity tree, EventAppender events) {
    Rules rules = rulesByHash.get(command.rulesHash());
    return ExecutionDecider.decide(
            command,
            webhookDecider.webhook(command, rules),
            tree.tasks().of(command.owner()),
            rules)
        .appendTo(events);
  }

  @CommandHandler
  Boolean handle(
      TakeOverExecution command,
      @InjectEntity TreeExecutionEntity execution,
      EventAppender events) {
    return ExecutionDecider.decide(command, execution.open()).appendTo(events);
  }

  @CommandHandler
  Boolean handle(
      EndExecution command,
      @InjectEntity TreeExecutionEntity execution,
      OwnersChanges ownersChanges,
      ProcessingContext context,
      EventAppender events) {
    boolean changed = ownersChanges.existAfter(command.seen(), command.treeId(), context);
    return ExecutionDecider.decide(command, execution.open(), changed).appendTo(events);
  }

  @CommandHandler
  StartTreeTask.Outcome handle(
      StartTreeTask command, @InjectEntity TreeTaskEntity entity, EventAppender events) {
    return TreeTaskDecider.decide(command, entity.task()).appendTo(events);
  }

  @CommandHandler
  Boolean handle(RetryTreeTask command, @InjectEntity TreeTaskEntity entity, EventAppender events) {
    return treeTaskDecider.decide(command, entity.task()).appendTo(events);
  }

  @CommandHandler
  Boolean handle(
      SettleTreeTask command, @InjectEntity TreeTaskEntity entity, EventAppender events) {
    return treeTaskDecider
        .decide(command, entity.task(), rulesByHash.get(command.rulesHash()))
        .appendTo(events);
  }

  @CommandHandler
  TreeOutcome handle(
      CancelTreeTask command, @InjectEntity TreeTaskEntity entity, EventAppender events) {
    return treeTaskDecider.decide(command, entity.task()).appendTo(events);
  }

  @CommandHandler
  Boolean handle(
      RecordDelivery command, @InjectEntity TreeWebhookEntity entity, EventAppender events) {
    return webhookDecider.decide(command, entity.open()).appendTo(events);
  }

  @CommandHandler
  Boolean handle(
      TakeOverWebhook command, @InjectEntity TreeWebhookEntity entity, EventAppender events) {
    return WebhookDecider.decide(command, entity.open()).appendTo(events);
  }
}
