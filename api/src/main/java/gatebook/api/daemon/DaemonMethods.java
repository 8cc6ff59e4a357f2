package gatebook.api.daemon;

import gatebook.api.gateway.DialectHandler;
import gatebook.api.mcp.GovernedTargets;
import gatebook.api.mcp.ToolListMerge;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.command.call.Intent;
import gatebook.command.gate.GateInput.On;
import gatebook.command.gate.SourceFamily;
import gatebook.command.gate.VisibilityGate;
import gatebook.events.call.Dialect;
import gatebook.events.fault.Misdirected.MethodNotFound;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A method that a JSON-RPC source answers for is that source's; else the tools of the other sources
 * can be listed and called as in MCP. Every other method is unknown.
 */
public final class DaemonMethods implements DialectHandler {

  private static final String LIST = "tools/list";
  private static final String CALL = "tools/call";

  private final GovernedTargets governedTargets = new GovernedTargets();
  private final Optional<BuiltInMethods> own;

  /** Those of the sources only. */
  public DaemonMethods() {
    this.own = Optional.empty();
  }

  /** Those of a daemon, which no source can take from it, and then those of the sources. */
  public DaemonMethods(BuiltInMethods builtInMethods) {
    this.own = Optional.of(builtInMethods);
  }

  @Override
  public Dialect dialect() {
    return Dialect.DAEMON;
  }

  @Override
  public Intent aim(Asking asking) {
    return own.flatMap(it -> it.aim(asking)).orElseGet(() -> ofSources(asking));
  }

  private Intent ofSources(Asking asking) {
    if (isSources(asking)) {
      return new Intent.Act(asking.method(), On.METHOD);
    }
    return switch (asking.method()) {
      case CALL -> governedTargets.aim(asking).orElseThrow();
      case LIST -> new Intent.Ask();
      default -> new Intent.Unservable(new MethodNotFound(asking.method()));
    };
  }

  /** A method that nobody knows may be that of a source. */
  @Override
  public boolean mayAct(Intent intent) {
    return intent instanceof Intent.Act || intent instanceof Intent.Unservable(MethodNotFound _);
  }

  @Override
  public Optional<String> arguments(Asking asking) {
    boolean whole = isOwn(asking) || isSources(asking);
    return whole ? Optional.ofNullable(asking.params()) : governedTargets.arguments(asking);
  }

  @Override
  public CompletableFuture<Ended> answer(Asking asking, Setting setting) {
    return own.flatMap(it -> it.answer(asking)).orElseGet(() -> ToolListMerge.of(setting.ground()));
  }

  private boolean isOwn(Asking asking) {
    return own.flatMap(it -> it.aim(asking)).isPresent();
  }

  private static boolean isSources(Asking asking) {
    return asking.method().length() <= GovernedTargets.NAME_CHARS_MAX
        && VisibilityGate.answering(asking.method(), SourceFamily.METHODS, asking.rules())
            .isPresent();
  }
}
