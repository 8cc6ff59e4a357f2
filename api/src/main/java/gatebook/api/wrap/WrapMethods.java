package gatebook.api.wrap;

import static gatebook.api.rpc.JsonStrings.quoted;
import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.gateway.DialectHandler;
import gatebook.api.mcp.GovernedTargets;
import gatebook.api.mcp.ListAggregator;
import gatebook.api.mcp.LookalikeCheck;
import gatebook.api.mcp.TaskCapabilities;
import gatebook.api.mcp.TaskMethods;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.command.call.Deferral;
import gatebook.command.call.Intent;
import gatebook.command.call.TaskStatus;
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
import org.jspecify.annotations.Nullable;

/**
 * The methods of MCP before one server: what is governed goes by the gates, all else to the server,
 * which alone knows what it can do.
 */
final class WrapMethods implements DialectHandler {

  static final String CANCELLED = "notifications/cancelled";

  private final GovernedTargets governedTargets = new GovernedTargets();
  private final TaskMethods tasks = new TaskMethods();
  private final Consumer<byte[]> server;
  private final BiConsumer<UUID, Source> introduced;

  /**
   * Passes on what is noted.
   *
   * @param server takes a notification
   * @param introduced hears of the call with which the client introduces itself
   */
  WrapMethods(Consumer<byte[]> server, BiConsumer<UUID, Source> introduced) {
    this.server = server;
    this.introduced = introduced;
  }

  @Override
  public Dialect dialect() {
    return Dialect.MCP;
  }

  @Override
  public Intent aim(Asking asking) {
    if (LookalikeCheck.isDisguised(asking.method())) {
      return new Intent.Unservable(new MethodNotFound(asking.method()));
    }
    return tasks.aim(asking).or(() -> governedTargets.aim(asking)).orElseGet(Intent.Ask::new);
  }

  @Override
  public String targetParam(Asking asking) {
    return governedTargets.param(asking);
  }

  @Override
  public Optional<String> arguments(Asking asking) {
    return governedTargets.arguments(asking);
  }

  @Override
  public Optional<Deferral> deferral(Asking asking, UUID callId) {
    return tasks.deferral(asking, callId);
  }

  @Override
  public String deferred(Asking asking, TaskStatus.Known standing) {
    return tasks.deferred(asking, standing);
  }

  /** Only under the same rules, to which the wrapped command belongs, is it the same server. */
  @Override
  public boolean goesOnHere(CallReceived call, String rulesHash, Rules rules) {
    return call.transport() == Transport.LINES && rulesHash.equals(rules.hash());
  }

  @Override
  public @Nullable String onward(@Nullable String params) {
    return TaskMethods.onward(params);
  }

  @Override
  public CompletableFuture<Ended> answer(Asking asking, Setting setting) {
    return tasks.answer(asking, setting).orElseGet(() -> others(asking, setting));
  }

  private CompletableFuture<Ended> others(Asking asking, Setting setting) {
    if (setting.ground().obstacle() != null) {
      return CompletableFuture.completedFuture(new Ended.Failure(setting.ground().obstacle()));
    }
    Source source = setting.ground().rules().sources().getFirst();
    if (asking.method().equals("initialize")) {
      introduced.accept(setting.callId(), source);
    }
    return ListAggregator.of(asking.method())
        .map(list -> list.answer(asking, setting))
        .orElseGet(() -> server(source, asking, setting));
  }

  private static CompletableFuture<Ended> server(Source source, Asking asking, Setting setting) {
    CompletableFuture<Ended> answer =
        setting.sources().ask(source, asking.method(), asking.params());
    Rules rules = setting.ground().rules();
    return switch (asking.method()) {
      case "initialize" -> answer.thenApply(said -> TaskCapabilities.introduced(said, rules));
      case "server/discover" -> answer.thenApply(said -> TaskCapabilities.discovered(said, rules));
      default -> answer;
    };
  }

  /** Which request is cancelled, the server knows by another id. */
  @Override
  public void taken(Asking asking, Setting setting) {
    if (!asking.method().equals(CANCELLED)) {
      server.accept(notification(asking.method(), asking.params()));
    }
  }

  private static byte[] notification(String method, @Nullable String params) {
    return "{\"jsonrpc\":\"2.0\",\"method\":%s%s}"
        .formatted(quoted(method), params == null ? "" : ",\"params\":" + params)
        .getBytes(UTF_8);
  }
}
