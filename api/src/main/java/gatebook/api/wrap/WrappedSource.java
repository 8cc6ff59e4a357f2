package gatebook.api.wrap;

import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.upstream.process.StdioClient;
import gatebook.api.upstream.source.ProcessCalls;
import gatebook.command.rules.Limit;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.command.rules.SourceProgram;
import gatebook.events.fault.ServerFault.ConfigurationError;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The wrapped command in place of a source of the rules: the id, the exposed tools, the limits and
 * the handling of errors are the source's.
 */
final class WrappedSource {

  private final List<String> command;
  private final Optional<String> named;
  private final CompletableFuture<StdioClient> client = new CompletableFuture<>();

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

  /** The routing of calls to the server under these rules. */
  RoutingSnapshot snapshot(Rules rules) {
    return source(rules, named)
        .map(source -> snapshot(rules, source.servedBy(new SourceProgram(command, Map.of(), null))))
        .orElseGet(() ->
            new RoutingSnapshot(
                Rules.NONE,
                Map.of(),
                new ConfigurationError("the rules have no source whose place it takes")));
  }

  private RoutingSnapshot snapshot(Rules rules, Source source) {
    return new RoutingSnapshot(
        rules.withSources(List.of(source)),
        Map.of(
            source.id(),
            new WrappedServer(
                source, client, new ProcessCalls(rules.limits().getInt(Limit.DEPTH_MAX)))),
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
}
