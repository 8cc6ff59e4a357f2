package gatebook.api.a2a.upstream;

import gatebook.api.a2a.message.A2aCall;
import gatebook.api.a2a.message.A2aMessage;
import gatebook.api.a2a.message.A2aMeters;
import gatebook.api.a2a.message.A2aMeters.StoreOperation;
import gatebook.api.a2a.message.A2aMeters.StoreResult;
import gatebook.api.a2a.message.A2aReading;
import gatebook.api.a2a.message.A2aRequest;
import gatebook.api.a2a.message.A2aRequest.MessageRequest;
import gatebook.api.a2a.message.A2aRequestReader;
import gatebook.api.a2a.message.AgentMessageJson;
import gatebook.api.a2a.message.AnsweredTask;
import gatebook.api.a2a.message.MessageTurns;
import gatebook.api.a2a.message.MessageTurns.Turn;
import gatebook.api.a2a.upstream.AgentTaskOwners.OwnAgentTasks;
import gatebook.api.a2a.upstream.OwnedAgentUpstream.ForwardedRequest;
import gatebook.api.dialect.A2aMethod;
import gatebook.api.gateway.message.CommandResult;
import gatebook.api.gateway.message.DialectHandler.ClientContext;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.command.call.Deferral;
import gatebook.command.call.IdentifiedMessage;
import gatebook.command.call.Intent;
import gatebook.command.call.SentMessageKey;
import gatebook.command.call.TaskId;
import gatebook.command.call.agent.FindSentMessage;
import gatebook.command.call.agent.ToldIds;
import gatebook.command.call.task.TaskStatus;
import gatebook.command.gate.GateInput.TargetKind;
import gatebook.command.rules.Rules;
import gatebook.events.CallReceived;
import gatebook.events.TaskCreated;
import gatebook.events.TaskCreated.Form;
import gatebook.events.fault.Fault;
import gatebook.events.fault.TaskFault.TaskNotCancelable;
import gatebook.events.fault.TaskFault.TaskNotFound;
import gatebook.events.fault.TaskFault.UnknownSkill;
import gatebook.events.fault.Unsupported.PushNotificationNotSupported;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * The requests to agents upstream: what they act on, and whose the tasks are that they name. The
 * targets have the names of version 1.0, below the agent's id: {@code planner/GetTask}, and {@code
 * planner/skills/route} for a skill.
 */
public final class UpstreamAgents {
  private static final String SKILLS = "skills/";
  private static final CompletableFuture<Optional<Fault>> NONE =
      CompletableFuture.completedFuture(Optional.empty());

  private final AgentTaskOwners owners;
  private final AgentTaskLists taskLists;
  private final AgentSkills agentSkills;
  private final A2aMeters meters;
  private final MessageTurns turns = new MessageTurns();

  public UpstreamAgents(
      AgentTaskOwners owners, AgentTaskLists taskLists, AgentSkills agentSkills, A2aMeters meters) {
    this.owners = owners;
    this.taskLists = taskLists;
    this.meters = meters;
    this.agentSkills = agentSkills;
  }

  /** What a request to an agent wants; those that no agent gets are read when they are answered. */
  public static Intent intent(String agent, A2aCall call) {
    A2aMethod method = call.method();
    return switch (method) {
      case SEND, STREAM, GET, LIST, CANCEL, SUBSCRIBE ->
          switch (call.reading()) {
            case A2aReading.Rejected(var fault) -> new Intent.Unservable(fault);
            case A2aReading.Understood(MessageRequest sent) -> sent(agent, method, sent);
            case A2aReading.Understood _ -> act(agent, method);
          };
      case CREATE_PUSH, GET_PUSH, LIST_PUSH, DELETE_PUSH, EXTENDED_CARD -> new Intent.AnswerHere();
    };
  }

  private static Intent sent(String agent, A2aMethod method, MessageRequest sent) {
    String skillId = sent.message().skillId();
    return sent.options().push() == null
        ? new Intent.Act(
            target(agent, method),
            TargetKind.AGENT,
            skillId == null ? List.of() : List.of(skill(agent, skillId)))
        : new Intent.Unservable(new PushNotificationNotSupported());
  }

  private static Intent act(String agent, A2aMethod method) {
    return new Intent.Act(target(agent, method), TargetKind.AGENT);
  }

  /** What a recorded request acted on: one that read the task of a message acted on that. */
  public static Intent recorded(String agent, Intent.Act act, CallReceived recorded) {
    Intent.Act reading = new Intent.Act(target(agent, A2aMethod.GET), TargetKind.AGENT);
    return reading.target().equals(recorded.target()) ? reading : act;
  }

  /** The name of a skill for the gates. */
  public static String skill(String agent, String skillId) {
    return "%s/%s%s".formatted(agent, SKILLS, skillId);
  }

  private static String target(String agent, A2aMethod method) {
    return "%s/%s".formatted(agent, method.latestName());
  }

  /**
   * A task that is not the caller's, a context that is another one's, and a skill that is not in
   * the agent's card. A task that is unknown is not told from another's.
   */
  private CompletableFuture<Optional<Fault>> refusal(
      String agent, A2aCall call, OwnAgentTasks own) {
    A2aReading reading = call.reading();
    CompletableFuture<Optional<Fault>> foreign =
        reading instanceof A2aReading.Understood(var request)
            ? new OwnershipCheck(owners(call, own)).atAgent(agent, request, call.namedIds())
            : NONE;
    return foreign.thenCompose(fault -> {
      fault.ifPresent(it -> countCancel(call, new Ended.Failure(it)));
      return fault.isPresent()
          ? CompletableFuture.completedFuture(fault)
          : unknownSkill(agent, reading);
    });
  }

  /** A cancel counts as one when it ends, whatever is read for it. */
  private static OwnAgentTasks owners(A2aCall call, OwnAgentTasks own) {
    return call.method() == A2aMethod.CANCEL ? own.uncounted() : own;
  }

  private OwnAgentTasks own(ClientContext client) {
    return owners.of(client.principal(), client.snapshot().rules());
  }

  /** Receives how a forwarded request ended. */
  public void onEnded(A2aCall call, Ended ended) {
    countCancel(call, ended);
  }

  private void countCancel(A2aCall call, Ended ended) {
    if (call.method() == A2aMethod.CANCEL) {
      meters.count(
          StoreOperation.CANCEL,
          switch (ended) {
            case Ended.Failure(TaskNotFound _) -> StoreResult.NOT_FOUND;
            case Ended.Failure(TaskNotCancelable _) -> StoreResult.CONFLICT;
            case Ended.Failure _, Ended.ForeignError _, Ended.EarlierError _ -> StoreResult.ERROR;
            case Ended.Result _, Ended.Streamed _, Ended.Accepted _ -> StoreResult.SUCCESS;
          });
    }
  }

  /** The upstream of an agent for a request whose caller waits. */
  public Upstream upstream(A2aCall call, Upstream agent, ClientContext client) {
    return new OwnedAgentUpstream(
        agent,
        client,
        owners(call, own(client)),
        taskLists,
        new ForwardedRequest(
            _ -> call.reading(),
            call.turn(),
            call::answerWith,
            Optional.empty(),
            call.duplicate()));
  }

  /** The upstream of an agent for a held message, which is a task here. */
  public Upstream upstream(TaskCreated task, Upstream agent, ClientContext client) {
    return new OwnedAgentUpstream(
        agent,
        client,
        own(client),
        taskLists,
        new ForwardedRequest(
            call -> A2aRequestReader.read(A2aMethod.of(call.method()).orElseThrow(), call.params()),
            Optional.empty(),
            _ -> {},
            Optional.of(
                task.contextId() == null
                    ? ToldIds.NONE
                    : new ToldIds(task.taskId(), task.contextId())),
            Optional.empty()));
  }

  private CompletableFuture<Optional<Fault>> unknownSkill(String agent, A2aReading reading) {
    return skillId(reading)
        .map(id ->
            agentSkills
                .lacksShown(agent, id)
                .thenApply(lacks ->
                    lacks ? Optional.<Fault>of(new UnknownSkill(id)) : Optional.<Fault>empty()))
        .orElse(NONE);
  }

  private static Optional<String> skillId(A2aReading reading) {
    return message(reading).map(A2aMessage::skillId);
  }

  /** What is to be listed. */
  static A2aRequest.ListTasks listRequest(A2aReading reading) {
    if (reading instanceof A2aReading.Understood(A2aRequest.ListTasks list)) {
      return list;
    }
    throw new IllegalStateException("no agent gets a list that was not understood");
  }

  private static Optional<A2aMessage> message(A2aReading reading) {
    return reading instanceof A2aReading.Understood(MessageRequest sent)
        ? Optional.of(sent.message())
        : Optional.empty();
  }

  /** How the sender of a held message gets its outcome, unless it waits for it. */
  public static Optional<Deferral> deferral(A2aCall call, UUID callId) {
    return call.hasMethod()
            && call.reading()
                instanceof A2aReading.Understood(A2aRequest.Send(var message, var options, _))
            && !options.waits()
            && message.taskId() == null
        ? Optional.of(
            new Deferral(
                TaskId.generate(callId).text(),
                Form.TASK,
                Deferral.Condition.IF_HELD,
                null,
                Objects.requireNonNullElse(message.contextId(), callId.toString()),
                AgentMessageJson.identified(message)))
        : Optional.empty();
  }

  /** The held message that a request names as its task; empty when it names none. */
  public static Optional<TaskId> heldTask(A2aReading reading) {
    return reading instanceof A2aReading.Understood(var request)
        ? request.aboutTask().flatMap(TaskId::parse)
        : Optional.empty();
  }

  /** A message for a new task: one within a task makes none. */
  static Optional<IdentifiedMessage> newTaskMessage(A2aReading reading) {
    return message(reading)
        .filter(message -> message.taskId() == null)
        .map(AgentMessageJson::identified);
  }

  /** What a request wants that would act, unless it is refused before a gate decides it. */
  public CompletableFuture<Intent> checkedIntent(
      String agent, A2aCall call, Intent.Act act, String principal, Rules rules) {
    OwnAgentTasks own = owners.of(principal, rules);
    return refusal(agent, call, own)
        .thenCompose(fault ->
            fault.isPresent()
                ? CompletableFuture.completedFuture(new Intent.Unservable(fault.get()))
                : journalledIntent(agent, call, act, own));
  }

  /**
   * What a request wants that would act, given what the journal knows: a message that was sent
   * before reads its task, and the task of a message that the agent has not got is read here.
   */
  private CompletableFuture<Intent> journalledIntent(
      String agent, A2aCall call, Intent.Act act, OwnAgentTasks own) {
    return newTaskMessage(call.reading())
        .map(message ->
            turns
                .take(
                    new SentMessageKey(own.principal(), agent, message.messageId()),
                    message.content())
                .thenCompose(turn -> inTurn(turn, agent, call, act, message, own)))
        .orElseGet(() -> CompletableFuture.completedFuture(act))
        .thenCompose(intent -> unlessUnanswered(agent, call, intent, own));
  }

  private CompletableFuture<Intent> inTurn(
      Turn turn,
      String agent,
      A2aCall call,
      Intent.Act act,
      IdentifiedMessage message,
      OwnAgentTasks own) {
    call.useTurn(turn);
    return own.sent(agent, message)
        .thenApply(found -> recognised(agent, call, act, found))
        .whenComplete((intent, _) -> {
          if (call.duplicate().isPresent() || !(intent instanceof Intent.Act)) {
            turn.end();
          }
        });
  }

  private static Intent recognised(
      String agent, A2aCall call, Intent.Act act, CommandResult<FindSentMessage.Result> found) {
    return switch (found) {
      case CommandResult.Refused<FindSentMessage.Result> _ ->
          new Intent.Unservable(OwnedIds.UNRECORDED);
      case CommandResult.Stored<FindSentMessage.Result>(FindSentMessage.Result.None()) -> act;
      case CommandResult.Stored<FindSentMessage.Result>(FindSentMessage.Result.UsesIdAgain()) -> {
        call.useIdAgain();
        yield act;
      }
      case CommandResult.Stored<FindSentMessage.Result>(
              FindSentMessage.Result.HasTask(var taskId)) -> {
        call.readTask(taskId);
        yield act(agent, A2aMethod.GET);
      }
    };
  }

  private CompletableFuture<Intent> unlessUnanswered(
      String agent, A2aCall call, Intent intent, OwnAgentTasks own) {
    return intent instanceof Intent.Act act
        ? heldTask(call.reading())
            .map(held ->
                own.uncounted() // what the request becomes is counted when it is served
                    .agentTask(agent, held)
                    .thenCompose(found ->
                        found instanceof CommandResult.Stored<Optional<AnsweredTask>>(var task)
                                && task.isPresent()
                            ? CompletableFuture.<Intent>completedFuture(act)
                            : answerHere(agent, held, own)))
            .orElseGet(() -> CompletableFuture.completedFuture(act))
        : CompletableFuture.completedFuture(intent);
  }

  /** The task of a message to another agent is not found, and not acted on. */
  private CompletableFuture<Intent> answerHere(String agent, TaskId held, OwnAgentTasks own) {
    return own.uncounted()
        .status(held)
        .thenApply(found ->
            found
                        instanceof
                        CommandResult.Stored<TaskStatus>(
                            TaskStatus.Known(var task, _, _, _, _, _, _))
                    && !OwnershipCheck.isOf(agent, task)
                ? new Intent.Unservable(new TaskNotFound(held.text()))
                : new Intent.AnswerHere());
  }
}
