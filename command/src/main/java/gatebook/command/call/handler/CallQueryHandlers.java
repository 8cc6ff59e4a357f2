package gatebook.command.call.handler;

import gatebook.command.call.CallEntity;
import gatebook.command.call.FaultTranslator;
import gatebook.command.call.agent.AgentTaskOwnership;
import gatebook.command.call.agent.FindSentMessage;
import gatebook.command.call.agent.GetAgentTaskOwner;
import gatebook.command.call.agent.MessageRecognition;
import gatebook.command.call.agent.SentMessageEntity;
import gatebook.command.call.task.FindWaitingTask;
import gatebook.command.call.task.GetCallState;
import gatebook.command.call.task.GetTask;
import gatebook.command.call.task.TaskReader;
import gatebook.command.call.task.TaskStatus;
import gatebook.command.keep.ContentDigests;
import gatebook.command.rules.RulesByHash;
import org.axonframework.messaging.queryhandling.annotation.QueryHandler;
import org.axonframework.modelling.annotation.InjectEntity;

/**
 * Handles the queries about calls. They are answered from the entity, not from a view: a caller
 * that was told of its task finds it, however far behind the views are.
 *
 * <p>Axon 5.0.1 ignores the name that a query's own annotation gives it, so queries have none.
 */
public final class CallQueryHandlers {
  private final RulesByHash rulesByHash;
  private final TaskReader taskReader;
  private final MessageRecognition messageRecognition;

  public CallQueryHandlers(
      RulesByHash rulesByHash, ContentDigests contentDigests, FaultTranslator faultTranslator) {
    this.rulesByHash = rulesByHash;
    this.taskReader = new TaskReader(faultTranslator);
    this.messageRecognition = new MessageRecognition(contentDigests);
  }

  @QueryHandler
  TaskStatus handle(GetTask query, @InjectEntity CallEntity call) {
    return taskReader.status(query, call.state());
  }

  @QueryHandler
  FindWaitingTask.Result handle(FindWaitingTask query, @InjectEntity CallEntity call) {
    return taskReader.waiting(query, call.state());
  }

  @QueryHandler
  GetCallState.Result handle(GetCallState query, @InjectEntity CallEntity call) {
    return TaskReader.result(call.state());
  }

  @QueryHandler
  FindSentMessage.Result handle(FindSentMessage query, @InjectEntity SentMessageEntity sent) {
    return messageRecognition.find(query, sent, rulesByHash.get(query.rulesHash()));
  }

  @QueryHandler
  GetAgentTaskOwner.Result handle(
      GetAgentTaskOwner query, @InjectEntity AgentTaskOwnership agentTask) {
    return agentTask.owner(query.key(), query.principal());
  }
}
