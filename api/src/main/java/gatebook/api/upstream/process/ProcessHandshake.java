package gatebook.api.upstream.process;

import static gatebook.api.rpc.JsonStrings.quoted;

import gatebook.api.rpc.ArrayElements;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.rpc.ResponseReader;
import gatebook.api.rpc.RpcResponse;
import gatebook.api.upstream.mcp.McpMethod;
import gatebook.api.upstream.mcp.McpRevisions;
import gatebook.api.upstream.mcp.StatelessMeta;
import gatebook.api.upstream.process.StdioClient.StdioRequest;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The handshake with a server process, which finds out which protocol it supports.
 *
 * <p>A server of the stateless revisions answers {@code server/discover}. A server that answers
 * anything else, or nothing for a while, gets {@code initialize}; the first success counts.
 */
final class ProcessHandshake {

  private static final long PROBE_MILLIS = 3_000;
  private static final int UNSUPPORTED_VERSION = -32022;

  private final StdioClient stdioClient;
  private final ResponseReader reader;
  private final ScheduledExecutorService timer;
  private final String clientInfo;
  private final long millisMax;

  /** The outcome of a handshake. */
  sealed interface Outcome {
    record Known(ServerProtocol protocol) implements Outcome {}

    record Failed(String reason) implements Outcome {}
  }

  /**
   * Sends nothing yet.
   *
   * @param version of Gatebook, as sent to servers
   */
  ProcessHandshake(
      StdioClient stdioClient,
      ResponseReader reader,
      ScheduledExecutorService timer,
      String version,
      long millisMax) {
    this.stdioClient = stdioClient;
    this.reader = reader;
    this.timer = timer;
    this.clientInfo = StatelessMeta.clientInfo(version);
    this.millisMax = millisMax;
  }

  /** Runs the handshake, without {@code server/discover} for a server that exited because of it. */
  CompletableFuture<Outcome> run(boolean isDiscovering) {
    CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    CompletableFuture<Optional<ServerProtocol>> discovered =
        isDiscovering ? discover() : CompletableFuture.completedFuture(Optional.empty());
    CompletableFuture<Optional<ServerProtocol>> initialized = initializeUnless(discovered);
    completeWith(outcome, discovered);
    completeWith(outcome, initialized);
    CompletableFuture<Void> _ =
        CompletableFuture.allOf(discovered, initialized)
            .thenRun(() -> outcome.complete(outcome(discovered.join().or(initialized::join))));
    return outcome;
  }

  private static Outcome outcome(Optional<ServerProtocol> protocol) {
    return protocol
        .<Outcome>map(Outcome.Known::new)
        .orElseGet(() -> new Outcome.Failed("it answers neither server/discover nor initialize"));
  }

  private static void completeWith(
      CompletableFuture<Outcome> outcome, CompletableFuture<Optional<ServerProtocol>> protocol) {
    CompletableFuture<Void> _ =
        protocol.thenAccept(
            found -> found.ifPresent(it -> outcome.complete(new Outcome.Known(it))));
  }

  private CompletableFuture<Optional<ServerProtocol>> discover() {
    String params =
        new ServerProtocol.Stateless(McpRevisions.STATELESS.getFirst(), clientInfo, null)
            .params(null);
    return request(McpMethod.SERVER_DISCOVER, params).thenApply(this::stateless);
  }

  private Optional<ServerProtocol> stateless(@Nullable RpcResponse answer) {
    return switch (answer) {
      case RpcResponse.Result(var json, _) ->
          stateless(ObjectMembers.of(json), "supportedVersions", json);
      case RpcResponse.RpcError(var code, _, var data)
          when code != null && code == UNSUPPORTED_VERSION ->
          stateless(ObjectMembers.of(data == null ? null : data.toString()), "supported", null);
      case RpcResponse.RpcError _, RpcResponse.Other _, RpcResponse.Unreadable _ ->
          Optional.empty();
      case null -> Optional.empty();
    };
  }

  private Optional<ServerProtocol> stateless(
      ObjectMembers of, String member, @Nullable String discovered) {
    List<String> versions =
        of.json(member).flatMap(ArrayElements::of).orElse(List.of()).stream()
            .map(it -> it.replace("\"", ""))
            .toList();
    return ServerProtocol.Stateless.of(versions, clientInfo, discovered).map(it -> it);
  }

  private CompletableFuture<Optional<ServerProtocol>> initializeUnless(
      CompletableFuture<Optional<ServerProtocol>> discovered) {
    CompletableFuture<Optional<ServerProtocol>> initialized = new CompletableFuture<>();
    AtomicBoolean isStarted = new AtomicBoolean();
    Runnable start =
        () -> {
          if (isStarted.compareAndSet(false, true)) {
            CompletableFuture<Void> _ = initialize().thenAccept(initialized::complete);
          }
        };
    ScheduledFuture<?> timeout = timer.schedule(start, PROBE_MILLIS, TimeUnit.MILLISECONDS);
    CompletableFuture<Void> _ =
        discovered.thenAccept(protocol -> {
          timeout.cancel(false);
          if (protocol.isEmpty()) {
            start.run();
          } else {
            initialized.complete(Optional.empty());
          }
        });
    return initialized;
  }

  private CompletableFuture<Optional<ServerProtocol>> initialize() {
    return request(McpMethod.INITIALIZE, initializeParams())
        .thenApply(answer -> {
          if (!(answer instanceof RpcResponse.Result(var json, _))) {
            return Optional.empty();
          }
          boolean _ = stdioClient.sendNotification(McpMethod.NOTIFICATIONS_INITIALIZED, null);
          return Optional.of(new ServerProtocol.Sessions(json));
        });
  }

  private String initializeParams() {
    return "{\"protocolVersion\":%s,\"capabilities\":{},\"clientInfo\":%s}"
        .formatted(quoted(McpRevisions.NEGOTIATED.getFirst()), clientInfo);
  }

  private CompletableFuture<@Nullable RpcResponse> request(String method, @Nullable String params) {
    return stdioClient
        .send(new StdioRequest(method, params, null, millisMax, false), _ -> {})
        .thenApply(requestResult ->
            requestResult instanceof RequestResult.Answered(var id, var line)
                ? reader.read(line, id)
                : null);
  }
}
