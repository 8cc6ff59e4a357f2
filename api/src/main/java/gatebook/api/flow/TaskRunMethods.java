package gatebook.api.flow;

import gatebook.api.gateway.message.DialectHandler;
import gatebook.api.gateway.message.TaskRun;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.mcp.McpMethod;
import gatebook.command.call.Deferral;
import gatebook.command.call.Deferral.Condition;
import gatebook.command.call.Intent;
import gatebook.command.call.TaskId;
import gatebook.command.gate.GateInput.TargetKind;
import gatebook.command.rules.Rules;
import gatebook.events.CallReceived;
import gatebook.events.TaskCreated.Form;
import gatebook.events.call.Dialect;
import gatebook.events.call.Transport;
import gatebook.events.fault.Misdirected.MethodNotFound;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * The method of the gateway's own calls, which run tasks of trees. It has a version that no caller
 * can declare: it acts on a tool, and passes the gates.
 */
public final class TaskRunMethods implements DialectHandler {

  static boolean isTaskRun(DialectCall dialectCall) {
    return TaskRun.VERSION.equals(dialectCall.version())
        && dialectCall.method().equals(McpMethod.TOOLS_CALL);
  }

  @Override
  public Dialect dialect() {
    return Dialect.FLOW;
  }

  @Override
  public Intent intent(DialectCall dialectCall) {
    return dialectCall
        .members()
        .text("name")
        .<Intent>map(name -> new Intent.Act(name, TargetKind.TOOL))
        .orElseGet(() -> new Intent.Unservable(new MethodNotFound(dialectCall.method())));
  }

  /** A run that has to wait for an approval waits on after a restart. */
  @Override
  public Optional<Deferral> deferral(DialectCall dialectCall, UUID callId) {
    return Optional.of(
        new Deferral(TaskId.generate(callId).text(), Form.OWN, Condition.IF_HELD, null));
  }

  /** The sources of the rules are the same in every process that has these rules. */
  @Override
  public boolean canTakeOver(CallReceived call, String rulesHash, Rules rules) {
    return call.transport() == Transport.TREE;
  }

  @Override
  public Optional<String> arguments(DialectCall dialectCall) {
    return dialectCall.members().json("arguments");
  }

  @Override
  public CompletableFuture<Ended> answer(DialectCall dialectCall, AnswerContext answerContext) {
    return CompletableFuture.completedFuture(
        new Ended.Failure(new MethodNotFound(dialectCall.method())));
  }
}
