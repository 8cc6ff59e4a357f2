package gatebook.api.wrap;

import gatebook.api.gateway.message.DialectHandler;
import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.node.WrappedServerRouting;
import gatebook.api.upstream.process.StdioClient;
import gatebook.api.upstream.source.ProcessAnswers;
import gatebook.command.rules.Limit;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.command.rules.SourceProgram;
import gatebook.events.fault.ServerFault.ConfigurationError;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The wrapped command in place of a source of the rules: the id, the exposed tools, the limits and
 * the handling of errors are the source's.
 */
final class WrappedSource implements WrappedServerRouting {

  private final List<String> command;
  private final Optional<String> named;
  private final CompletableFuture<StdioClient> client = new CompletableFuture<>();
  private volatile @Nullable InitializeCall initializeCall;

  /**
   * Creates a source whose server does not run yet.
   *
   * @param named the id of the source; empty when the rules have only one
   */
  WrappedSource(List<String> command, Optional<String> named) {
    this.command = command;
    this.named = named;
  }

  /** Connects to the running server; called before the first call. */
  void connect(StdioClient running) {
    client.complete(running);
  }

  /** The client's {@code initialize} call, with the source as the rules had it then. */
  Optional<InitializeCall> initializeCall() {
    return Optional.ofNullable(initializeCall);
  }

  /** The {@code initialize} call, as part of which the server's requests are recorded. */
  record InitializeCall(UUID callId, Source source) {}

  @Override
  public DialectHandler methods() {
    return new WrapMethods(
        this::forward, (callId, by) -> initializeCall = new InitializeCall(callId, by));
  }

  private void forward(byte[] message) {
    CompletableFuture<Boolean> _ = client.thenApply(running -> running.sendRaw(message));
  }

  @Override
  public RoutingSnapshot snapshot(Rules rules) {
    return source(rules, named)
        .map(source -> snapshot(rules, withCommand(source)))
        .orElseGet(() ->
            new RoutingSnapshot(
                Rules.NONE,
                Map.of(),
                new ConfigurationError("the rules have no source whose place it takes")));
  }

  private RoutingSnapshot snapshot(Rules rules, Source source) {
    return new RoutingSnapshot(
        restrictedTo(source, rules),
        Map.of(
            source.id(),
            new WrappedServer(
                source, client, new ProcessAnswers(rules.limits().getInt(Limit.DEPTH_MAX)))),
        null);
  }

  /** The source that the command replaces; empty when there is none, or more than one fits. */
  static Optional<Source> source(Rules rules, Optional<String> named) {
    List<Source> candidates =
        rules.sources().stream()
            .filter(source -> source.kind() == Source.Kind.MCP)
            .filter(source -> named.map(source.id()::equals).orElse(source.enabled()))
            .toList();
    return candidates.size() == 1 ? Optional.of(candidates.getFirst()) : Optional.empty();
  }

  /** The source with the wrapped command. The only source needs no prefix. */
  private Source withCommand(Source source) {
    return new Source(
        source.id(),
        source.kind(),
        null,
        new SourceProgram(command, Map.of(), null),
        "",
        source.enabled(),
        source.expose(),
        source.idempotent(),
        Map.of(),
        source.errors(),
        source.connectMillis(),
        source.answerMillis());
  }

  private static Rules restrictedTo(Source source, Rules rules) {
    return new Rules(
        rules.hash(),
        List.of(source),
        rules.governance(),
        rules.workflows(),
        rules.policies(),
        rules.inspectors(),
        rules.principals(),
        rules.operators(),
        rules.webhooks(),
        rules.redaction(),
        rules.recording(),
        rules.limits());
  }
}
