package gatebook.api.upstream.process;

import static gatebook.api.rpc.JsonStrings.quoted;

import gatebook.api.rpc.ArrayElements;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.rpc.ResponseReader;
import gatebook.api.rpc.RpcResponse;
import gatebook.api.upstream.mcp.McpRevisions;
import gatebook.api.upstream.process.StdioClient.Question;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Finds out in which era of MCP a server lives, and introduces us where one has to be introduced.
 *
 * <p>A server of the stateless era says so when it is asked to be discovered. Who answers anything
 * else, or nothing for a while, is greeted as in the era of sessions; the first success counts.
 */
final class ProcessHandshake {

  private static final long PROBE_MILLIS = 3_000;
  private static final int UNSUPPORTED_VERSION = -32022;

  private final StdioClient stdioClient;
  private final ResponseReader reader;
  private final ScheduledExecutorService timer;
  private final String asker;
  private final long millisMax;

  /** What it ended in. */
  sealed interface Outcome {
    record Known(ServerProtocol era) implements Outcome {}

    record Failed(String reason) implements Outcome {}
  }

  /**
   * Has asked nothing yet.
   *
   * @param version what servers are told of our own
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
    this.asker = "{\"name\":\"gatebook\",\"version\":%s}".formatted(quoted(version));
    this.millisMax = millisMax;
  }

  /** Does it; a server that ended when it was asked to be discovered is not asked that again. */
  CompletableFuture<Outcome> shaken(boolean isDiscovering) {
    CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    CompletableFuture<Optional<ServerProtocol>> discovered =
        isDiscovering ? discovered() : CompletableFuture.completedFuture(Optional.empty());
    CompletableFuture<Optional<ServerProtocol>> introduced = introducedUnless(discovered);
    knows(outcome, discovered);
    knows(outcome, introduced);
    CompletableFuture<Void> _ =
        CompletableFuture.allOf(discovered, introduced)
            .thenRun(() -> outcome.complete(known(discovered.join().or(introduced::join))));
    return outcome;
  }

  private static Outcome known(Optional<ServerProtocol> found) {
    return found
        .<Outcome>map(Outcome.Known::new)
        .orElseGet(() -> new Outcome.Failed("it answers neither server/discover nor initialize"));
  }

  private static void knows(
      CompletableFuture<Outcome> outcome, CompletableFuture<Optional<ServerProtocol>> found) {
    CompletableFuture<Void> _ =
        found.thenAccept(era -> era.ifPresent(it -> outcome.complete(new Outcome.Known(it))));
  }

  private CompletableFuture<Optional<ServerProtocol>> discovered() {
    String params =
        new ServerProtocol.Stateless(McpRevisions.STATELESS.getFirst(), asker, null).dressed(null);
    return asked("server/discover", params).thenApply(this::stateless);
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
    return ServerProtocol.Stateless.of(versions, asker, discovered).map(it -> it);
  }

  private CompletableFuture<Optional<ServerProtocol>> introducedUnless(
      CompletableFuture<Optional<ServerProtocol>> discovered) {
    CompletableFuture<Optional<ServerProtocol>> introduced = new CompletableFuture<>();
    AtomicBoolean isBegun = new AtomicBoolean();
    Runnable begin =
        () -> {
          if (isBegun.compareAndSet(false, true)) {
            CompletableFuture<Void> _ = introduced().thenAccept(introduced::complete);
          }
        };
    ScheduledFuture<?> silence = timer.schedule(begin, PROBE_MILLIS, TimeUnit.MILLISECONDS);
    CompletableFuture<Void> _ =
        discovered.thenAccept(era -> {
          silence.cancel(false);
          if (era.isEmpty()) {
            begin.run();
          } else {
            introduced.complete(Optional.empty());
          }
        });
    return introduced;
  }

  private CompletableFuture<Optional<ServerProtocol>> introduced() {
    return asked("initialize", introduction())
        .thenApply(answer -> {
          if (!(answer instanceof RpcResponse.Result(var json, _))) {
            return Optional.empty();
          }
          boolean _ = stdioClient.tell("notifications/initialized", null);
          return Optional.of(new ServerProtocol.Sessions(json));
        });
  }

  private String introduction() {
    return "{\"protocolVersion\":%s,\"capabilities\":{},\"clientInfo\":%s}"
        .formatted(quoted(McpRevisions.AGREED.getFirst()), asker);
  }

  private CompletableFuture<@Nullable RpcResponse> asked(String method, @Nullable String params) {
    return stdioClient
        .ask(new Question(method, params, null, millisMax, false), _ -> {})
        .thenApply(requestResult ->
            requestResult instanceof RequestResult.Answered(var id, var line)
                ? reader.read(line, id)
                : null);
  }
}
