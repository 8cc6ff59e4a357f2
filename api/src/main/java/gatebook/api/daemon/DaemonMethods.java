package gatebook.api.daemon;

import gatebook.api.gateway.message.DialectHandler;
import gatebook.api.mcp.GovernedTargets;
import gatebook.api.mcp.ListAggregator;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.mcp.McpMethod;
import gatebook.command.call.Intent;
import gatebook.command.gate.GateInput.TargetKind;
import gatebook.command.gate.SourceFamily;
import gatebook.command.gate.VisibilityGate;
import gatebook.events.call.Dialect;
import gatebook.events.fault.Misdirected.InvalidParams;
import gatebook.events.fault.Misdirected.MethodNotFound;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The methods of the daemon dialect: the built-in methods of a daemon, the methods of JSON-RPC
 * sources, and {@code tools/list} and {@code tools/call} for the tools of other sources, as in MCP.
 */
public final class DaemonMethods implements DialectHandler {

  private static final List<String> LIST_PARAMS = List.of("cursor", "_meta");
  private static final List<String> CALL_PARAMS = List.of("name", "arguments", "_meta");

  private final GovernedTargets governedTargets = new GovernedTargets();
  private final Optional<BuiltInMethods> builtIn;

  /** Methods of sources only, without built-in ones. */
  public DaemonMethods() {
    this.builtIn = Optional.empty();
  }

  /** Built-in methods, which no source can override, and the methods of sources. */
  public DaemonMethods(BuiltInMethods builtInMethods) {
    this.builtIn = Optional.of(builtInMethods);
  }

  @Override
  public Dialect dialect() {
    return Dialect.DAEMON;
  }

  @Override
  public Intent intent(DialectCall dialectCall) {
    return builtIn.flatMap(it -> it.intent(dialectCall)).orElseGet(() -> sourceIntent(dialectCall));
  }

  private Intent sourceIntent(DialectCall dialectCall) {
    if (isSourceMethod(dialectCall)) {
      return new Intent.Act(dialectCall.method(), TargetKind.METHOD);
    }
    return switch (dialectCall.method()) {
      case McpMethod.TOOLS_CALL ->
          wrongParams(dialectCall, CALL_PARAMS)
              .orElseGet(() -> governedTargets.intent(dialectCall).orElseThrow());
      case McpMethod.TOOLS_LIST ->
          wrongParams(dialectCall, LIST_PARAMS).orElseGet(Intent.AnswerHere::new);
      default -> new Intent.Unservable(new MethodNotFound(dialectCall.method()));
    };
  }

  private static Optional<Intent> wrongParams(DialectCall dialectCall, List<String> known) {
    return ParamCheck.problem(dialectCall.params(), dialectCall.members(), known)
        .map(problem -> new Intent.Unservable(new InvalidParams(List.of(problem))));
  }

  /** An unknown method may be one of a source under other rules. */
  @Override
  public boolean mayAct(DialectCall dialectCall, Intent intent) {
    return intent instanceof Intent.Act
        || intent instanceof Intent.Unservable(MethodNotFound _)
        || dialectCall.method().equals(McpMethod.TOOLS_LIST);
  }

  @Override
  public Optional<String> arguments(DialectCall dialectCall) {
    boolean whole = isBuiltIn(dialectCall) || isSourceMethod(dialectCall);
    return whole
        ? Optional.ofNullable(dialectCall.params())
        : governedTargets.arguments(dialectCall);
  }

  @Override
  public CompletableFuture<Ended> answer(DialectCall dialectCall, AnswerContext answerContext) {
    return builtIn
        .flatMap(it -> it.answer(dialectCall))
        .orElseGet(() -> ListAggregator.TOOLS.merged(answerContext));
  }

  private boolean isBuiltIn(DialectCall dialectCall) {
    return builtIn.flatMap(it -> it.intent(dialectCall)).isPresent();
  }

  private static boolean isSourceMethod(DialectCall dialectCall) {
    return dialectCall.method().length() <= GovernedTargets.NAME_CHARS_MAX
        && VisibilityGate.sourceFor(dialectCall.method(), SourceFamily.METHODS, dialectCall.rules())
            .isPresent();
  }
}
