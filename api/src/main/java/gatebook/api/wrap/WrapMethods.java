package gatebook.api.wrap;

import gatebook.api.gateway.message.DialectHandler;
import gatebook.api.mcp.GovernedTargets;
import gatebook.api.mcp.ListAggregator;
import gatebook.api.mcp.LookalikeCheck;
import gatebook.api.mcp.TaskCapabilities;
import gatebook.api.mcp.TaskMethods;
import gatebook.api.rpc.MessageWriter;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.mcp.McpMethod;
import gatebook.command.call.Deferral;
import gatebook.command.call.Intent;
import gatebook.command.call.ReceiveCall;
import gatebook.command.call.task.TaskStatus;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.events.CallReceived;
import gatebook.events.call.Dialect;
import gatebook.events.call.Transport;
import gatebook.events.fault.Misdirected.MethodNotFound;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The MCP methods of a wrapped server: governed methods go through the gates, all others go to the
 * server, which alone knows its capabilities.
 */
final class WrapMethods implements DialectHandler {

  private final GovernedTargets governedTargets = new GovernedTargets();
  private final TaskMethods tasks = new TaskMethods();
  private final Consumer<byte[]> server;
  private final BiConsumer<UUID, Source> onInitialize;

  /**
   * Creates the methods of a wrapped server.
   *
   * @param server receives notifications
   * @param onInitialize called for each {@code initialize} call of the client
   */
  WrapMethods(Consumer<byte[]> server, BiConsumer<UUID, Source> onInitialize) {
    this.server = server;
    this.onInitialize = onInitialize;
  }

  @Override
  public Dialect dialect() {
    return Dialect.MCP;
  }

  @Override
  public Intent intent(DialectCall dialectCall) {
    if (LookalikeCheck.isLookalike(dialectCall.method())) {
      return new Intent.Unservable(new MethodNotFound(dialectCall.method()));
    }
    return GovernedTargets.refusal(dialectCall)
        .or(() -> tasks.intent(dialectCall))
        .or(() -> governedTargets.intent(dialectCall))
        .orElseGet(Intent.AnswerHere::new);
  }

  @Override
  public String targetParam(DialectCall dialectCall) {
    return governedTargets.param(dialectCall);
  }

  @Override
  public Optional<String> arguments(DialectCall dialectCall) {
    return governedTargets.arguments(dialectCall);
  }

  @Override
  public Optional<Deferral> deferral(DialectCall dialectCall, UUID callId) {
    return tasks.deferral(dialectCall, callId);
  }

  @Override
  public String deferredResult(DialectCall dialectCall, TaskStatus.Known standing) {
    return tasks.deferred(dialectCall, standing);
  }

  /** Under other rules it may be another server, since the rules contain the wrapped command. */
  @Override
  public boolean canTakeOver(CallReceived call, String rulesHash, Rules rules) {
    return call.transport() == Transport.LINES && rulesHash.equals(rules.hash());
  }

  @Override
  public SourceRequest backgroundRequest(ReceiveCall call, Source source) {
    return TaskMethods.backgroundRequest(call);
  }

  @Override
  public CompletableFuture<Ended> answer(DialectCall dialectCall, AnswerContext answerContext) {
    return tasks
        .answer(dialectCall, answerContext)
        .orElseGet(() -> others(dialectCall, answerContext));
  }

  private CompletableFuture<Ended> others(DialectCall dialectCall, AnswerContext answerContext) {
    if (answerContext.snapshot().obstacle() != null) {
      return CompletableFuture.completedFuture(
          new Ended.Failure(answerContext.snapshot().obstacle()));
    }
    Source source = answerContext.snapshot().rules().sources().getFirst();
    if (dialectCall.method().equals(McpMethod.INITIALIZE)) {
      onInitialize.accept(answerContext.callId(), source);
    }
    return ListAggregator.of(dialectCall.method())
        .map(list -> list.answer(dialectCall, answerContext))
        .orElseGet(() -> server(source, dialectCall, answerContext));
  }

  private static CompletableFuture<Ended> server(
      Source source, DialectCall dialectCall, AnswerContext answerContext) {
    CompletableFuture<Ended> answer =
        answerContext.sources().send(source, dialectCall.method(), dialectCall.params());
    Rules rules = answerContext.snapshot().rules();
    return switch (dialectCall.method()) {
      case McpMethod.INITIALIZE ->
          answer.thenApply(result -> TaskCapabilities.initialized(result, rules));
      case McpMethod.SERVER_DISCOVER ->
          answer.thenApply(result -> TaskCapabilities.discovered(result, rules));
      default -> answer;
    };
  }

  /** A cancellation is not forwarded: the server knows the request by another id. */
  @Override
  public void onNotification(DialectCall dialectCall, AnswerContext answerContext) {
    if (!dialectCall.method().equals(McpMethod.NOTIFICATIONS_CANCELLED)) {
      server.accept(MessageWriter.notification(dialectCall.method(), dialectCall.params()));
    }
  }
}
