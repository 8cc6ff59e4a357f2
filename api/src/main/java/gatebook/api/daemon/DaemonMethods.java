package gatebook.api.daemon;

import gatebook.api.border.Methods;
import gatebook.api.mcp.Targets;
import gatebook.api.mcp.ToolLists;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.command.gate.Asked.On;
import gatebook.command.gate.Family;
import gatebook.command.gate.Visibility;
import gatebook.command.receive.Aim;
import gatebook.events.call.Dialect;
import gatebook.events.fault.Misdirected.MethodNotFound;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A method that a JSON-RPC source answers for is that source's; else the tools of the other sources
 * can be listed and called as in MCP. Every other method is unknown.
 */
public final class DaemonMethods implements Methods {

  private static final String LIST = "tools/list";
  private static final String CALL = "tools/call";

  private final Targets targets = new Targets();
  private final Optional<Own> own;

  /** Those of the sources only. */
  public DaemonMethods() {
    this.own = Optional.empty();
  }

  /** Those of a daemon, which no source can take from it, and then those of the sources. */
  public DaemonMethods(Own own) {
    this.own = Optional.of(own);
  }

  @Override
  public Dialect dialect() {
    return Dialect.DAEMON;
  }

  @Override
  public Aim aim(Asking asking) {
    return own.flatMap(it -> it.aim(asking)).orElseGet(() -> ofSources(asking));
  }

  private Aim ofSources(Asking asking) {
    if (isSources(asking)) {
      return new Aim.Act(asking.method(), On.METHOD);
    }
    return switch (asking.method()) {
      case CALL -> targets.aim(asking).orElseThrow();
      case LIST -> new Aim.Ask();
      default -> new Aim.Unservable(new MethodNotFound(asking.method()));
    };
  }

  /** A method that nobody knows may be that of a source. */
  @Override
  public boolean mayAct(Aim aim) {
    return aim instanceof Aim.Act || aim instanceof Aim.Unservable(MethodNotFound _);
  }

  @Override
  public Optional<String> arguments(Asking asking) {
    boolean whole = isOwn(asking) || isSources(asking);
    return whole ? Optional.ofNullable(asking.params()) : targets.arguments(asking);
  }

  @Override
  public CompletableFuture<Ended> answer(Asking asking, Setting setting) {
    return own.flatMap(it -> it.answer(asking)).orElseGet(() -> ToolLists.of(setting.ground()));
  }

  private boolean isOwn(Asking asking) {
    return own.flatMap(it -> it.aim(asking)).isPresent();
  }

  private static boolean isSources(Asking asking) {
    return asking.method().length() <= Targets.NAME_CHARS_MAX
        && Visibility.answering(asking.method(), Family.METHODS, asking.rules()).isPresent();
  }
}
