package gatebook.api.gateway;

import gatebook.api.gateway.BackgroundCalls.OwnTasks;
import gatebook.api.gateway.message.Caller;
import gatebook.api.gateway.message.CallerConnection;
import gatebook.api.gateway.message.ClientChannel;
import gatebook.api.gateway.message.CommandResult;
import gatebook.api.gateway.message.DialectHandler;
import gatebook.api.gateway.message.HoldListener;
import gatebook.api.gateway.message.IncomingMessage;
import gatebook.api.gateway.message.Reply;
import gatebook.api.gateway.message.TaskRun;
import gatebook.api.gateway.message.TokenVerdict;
import gatebook.api.gateway.message.ToolCaller;
import gatebook.api.gateway.message.TraceContext;
import gatebook.api.rpc.MessageWriter;
import gatebook.api.rpc.RpcMessage;
import gatebook.api.upstream.mcp.McpMethod;
import gatebook.command.call.CallOutcome;
import gatebook.command.call.TaskId;
import gatebook.command.call.TaskState;
import gatebook.command.call.task.TaskStatus;
import gatebook.command.rules.GatewayLimits;
import gatebook.events.call.Correlation;
import gatebook.events.call.ErrorResponse;
import gatebook.events.call.Transport;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** Calls that the gateway makes on its own, to run the tasks of trees. */
final class OwnCalls implements ToolCaller {

  /** The JSON-RPC id of each: nobody but the gateway gets the response. */
  private static final String RPC_ID = "1";

  private static final int OK = 200;

  private final GatewayCore core;
  private final DialectHandler handler;

  /**
   * @param handler of the calls
   */
  OwnCalls(GatewayCore core, DialectHandler handler) {
    this.core = core;
    this.handler = handler;
  }

  @Override
  public UUID nextCallId() {
    return core.callIds.next();
  }

  @Override
  public CompletableFuture<Reply> call(
      TaskRun taskRun, String params, CallerConnection connection, HoldListener holdListener) {
    return callWhenRoom(taskRun, params, connection, holdListener)
        .whenComplete((_, _) -> heldCalls().release(taskRun.callId()));
  }

  /** A call that would have to wait for an approval, and cannot, is made when there is room. */
  private CompletableFuture<Reply> callWhenRoom(
      TaskRun taskRun, String params, CallerConnection connection, HoldListener holdListener) {
    RoomListener roomListener = new RoomListener(holdListener);
    return new CallPipeline(
            core, handler, message(taskRun, params, connection, roomListener), taskRun.callId())
        .reply()
        .thenCompose(reply ->
            roomListener.lacksRoom
                ? awaitRoom(taskRun, connection)
                    .thenCompose(hasRoom -> {
                      if (!hasRoom) {
                        return CompletableFuture.completedFuture(reply);
                      }
                      holdListener.onResumed();
                      return callWhenRoom(taskRun, params, connection, holdListener);
                    })
                : CompletableFuture.completedFuture(reply));
  }

  private HeldCalls heldCalls() {
    return core.services.heldCalls();
  }

  private TokenVerdict verdict(String owner) {
    GatewayLimits limits = core.services.routingSnapshots().get().rules().limits();
    return core.services
        .signedOnOwners()
        .find(owner, core.services.clock().instant(), limits)
        .<TokenVerdict>map(TokenVerdict.Signed::new)
        .orElse(TokenVerdict.OPAQUE);
  }

  private IncomingMessage message(
      TaskRun taskRun, String params, CallerConnection connection, HoldListener holdListener) {
    Optional<Correlation> correlation = Optional.ofNullable(taskRun.correlation());
    return new IncomingMessage(
        new RpcMessage.Request(RPC_ID, McpMethod.TOOLS_CALL, params),
        params.length(),
        Transport.TREE,
        new Caller(List.of(), verdict(taskRun.owner()), List.of(), true, connection, taskRun),
        correlation.map(Correlation::correlationId).orElse(null),
        correlation.map(Correlation::traceparent).orElse(null),
        TaskRun.VERSION,
        ClientChannel.onlyResponse(holdListener),
        correlation
            .map(Correlation::tracestate)
            .map(state -> Map.of(TraceContext.STATE, state))
            .orElse(Map.of()));
  }

  private CompletableFuture<Boolean> awaitRoom(TaskRun taskRun, CallerConnection connection) {
    CompletableFuture<Boolean> room = heldCalls().awaitRoom(taskRun.callId(), taskRun.owner());
    CallerConnection.Watch watch =
        connection.onDisconnect(_ -> heldCalls().giveUp(taskRun.callId()));
    return room.whenComplete((_, _) -> watch.end());
  }

  /** Listens to one attempt of a call. */
  private static final class RoomListener implements HoldListener {
    private final HoldListener next;
    private volatile boolean lacksRoom;

    RoomListener(HoldListener next) {
      this.next = next;
    }

    @Override
    public void onHeld() {
      next.onHeld();
    }

    @Override
    public void onNoRoom() {
      lacksRoom = true;
      next.onNoRoom();
    }

    @Override
    public void onResumed() {
      next.onResumed();
    }
  }

  /** The call goes on at this node or at another one. */
  @Override
  public CompletableFuture<Reply> await(
      TaskRun taskRun, String heldId, CallerConnection connection, HoldListener holdListener) {
    OwnTasks tasks = core.backgroundCalls.tasksOf(taskRun.owner());
    TaskId task = new TaskId(heldId, taskRun.callId());
    CallerConnection.Watch watch =
        connection.onDisconnect(_ -> {
          CompletableFuture<CommandResult<TaskStatus>> _ = tasks.cancel(task);
        });
    return awaitDecision(tasks, task, holdListener)
        .thenCompose(_ -> tasks.awaitEnd(task))
        .whenComplete((_, _) -> watch.end())
        .thenApply(OwnCalls::reply);
  }

  private CompletableFuture<Void> awaitDecision(
      OwnTasks tasks, TaskId task, HoldListener holdListener) {
    // from before the reading, so that no resumption is missed; at another node its status tells
    CompletableFuture<Void> resumption = core.backgroundCalls.nextResumption(task.callId());
    return tasks
        .read(task)
        .thenCompose(found -> {
          if (!isWaiting(found)) {
            return CompletableFuture.completedFuture(null);
          }
          holdListener.onHeld();
          return CompletableFuture.anyOf(resumption, tasks.awaitDecision(task))
              .thenRun(holdListener::onResumed);
        })
        .whenComplete((_, _) -> resumption.complete(null));
  }

  private static boolean isWaiting(CommandResult<TaskStatus> found) {
    return found instanceof CommandResult.Stored<TaskStatus>(TaskStatus.Known known)
        && known.state() instanceof TaskState.Waiting;
  }

  private static Reply reply(CommandResult<TaskStatus> found) {
    return found
            instanceof
            CommandResult.Stored<TaskStatus>(TaskStatus.Known(_, var state, _, _, _, _, _))
        ? new Reply("", OK, body(state))
        : Reply.none("");
  }

  @SuppressWarnings("NullAway") // a call that was cancelled has no response
  private static byte[] body(TaskState state) {
    return switch (state) {
      case CallOutcome.Answered(_, var result) -> MessageWriter.result(RPC_ID, result);
      case CallOutcome.Failed(_, ErrorResponse error) -> MessageWriter.error(RPC_ID, error);
      case CallOutcome.Cancelled _,
          CallOutcome.Abandoned _,
          TaskState.Waiting _,
          TaskState.Working _ ->
          null;
    };
  }
}
