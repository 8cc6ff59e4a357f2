package gatebook.api.wrap;

import gatebook.api.gateway.DialectHandler;
import gatebook.api.gateway.RoutingSnapshot;
import gatebook.api.node.WrappedUpstream;
import gatebook.api.upstream.process.StdioClient;
import gatebook.api.upstream.source.ProcessAnswers;
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
 * The command that was given, in the place of a source of the rules: its id, what it shows, its
 * limits and what becomes of its errors are the source's.
 */
final class WrappedSource implements WrappedUpstream {

  private final List<String> command;
  private final Optional<String> named;
  private final CompletableFuture<StdioClient> dialogue = new CompletableFuture<>();
  private volatile @Nullable Introduced introduced;

  /**
   * Answers nobody yet.
   *
   * @param named the id of the source; empty when the rules have only one
   */
  WrappedSource(List<String> command, Optional<String> named) {
    this.command = command;
    this.named = named;
  }

  /** It runs; comes before the first call. */
  void runs(StdioClient running) {
    dialogue.complete(running);
  }

  /** The call with which the client introduced itself, and the server as the rules had it then. */
  Optional<Introduced> introduced() {
    return Optional.ofNullable(introduced);
  }

  /** What the server asks is recorded as part of that call. */
  record Introduced(UUID callId, Source source) {}

  @Override
  public DialectHandler methods() {
    return new WrapMethods(this::pass, (callId, by) -> introduced = new Introduced(callId, by));
  }

  private void pass(byte[] message) {
    CompletableFuture<Boolean> _ = dialogue.thenApply(running -> running.pass(message));
  }

  @Override
  public RoutingSnapshot ground(Rules rules) {
    return source(rules, named)
        .map(source -> ground(rules, as(source)))
        .orElseGet(() ->
            new RoutingSnapshot(
                Rules.NONE,
                Map.of(),
                new ConfigurationError("the rules have no source whose place it takes")));
  }

  private RoutingSnapshot ground(Rules rules, Source source) {
    return new RoutingSnapshot(
        only(source, rules),
        Map.of(
            source.id(),
            new WrappedServer(source, dialogue, new ProcessAnswers(rules.limits().depthMax()))),
        null);
  }

  /** Whose place the command takes; empty when there is none, or it could be one of several. */
  static Optional<Source> source(Rules rules, Optional<String> named) {
    List<Source> candidates =
        rules.sources().stream()
            .filter(source -> source.kind() == Source.Kind.MCP)
            .filter(source -> named.map(source.id()::equals).orElse(source.enabled()))
            .toList();
    return candidates.size() == 1 ? Optional.of(candidates.getFirst()) : Optional.empty();
  }

  /** Its only server needs no prefix. */
  private Source as(Source source) {
    return new Source(
        source.id(),
        source.kind(),
        null,
        new SourceProgram(command, Map.of(), null),
        "",
        source.enabled(),
        source.expose(),
        Map.of(),
        source.errors(),
        source.connectMillis(),
        source.answerMillis());
  }

  private static Rules only(Source source, Rules rules) {
    return new Rules(
        rules.hash(),
        List.of(source),
        rules.governance(),
        rules.workflows(),
        rules.policies(),
        rules.inspectors(),
        rules.principals(),
        rules.operators(),
        rules.redaction(),
        rules.keeping(),
        rules.limits());
  }
}
