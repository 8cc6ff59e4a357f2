package gatebook.api.upstream.process;

import static gatebook.api.rpc.Quoted.quoted;

import gatebook.api.rpc.Elements;
import gatebook.api.rpc.Members;
import gatebook.api.rpc.Received;
import gatebook.api.rpc.ResponseReader;
import gatebook.api.upstream.Revisions;
import gatebook.api.upstream.process.Dialogue.Question;
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
final class Handshake {

  private static final long PROBE_MILLIS = 3_000;
  private static final int UNSUPPORTED_VERSION = -32022;

  private final Dialogue dialogue;
  private final ResponseReader reader;
  private final ScheduledExecutorService timer;
  private final String asker;
  private final long millisMax;

  /** What it ended in. */
  sealed interface Outcome {
    record Known(Era era) implements Outcome {}

    record Failed(String reason) implements Outcome {}
  }

  /**
   * Has asked nothing yet.
   *
   * @param version what servers are told of our own
   */
  Handshake(
      Dialogue dialogue,
      ResponseReader reader,
      ScheduledExecutorService timer,
      String version,
      long millisMax) {
    this.dialogue = dialogue;
    this.reader = reader;
    this.timer = timer;
    this.asker = "{\"name\":\"gatebook\",\"version\":%s}".formatted(quoted(version));
    this.millisMax = millisMax;
  }

  /** Does it; a server that ended when it was asked to be discovered is not asked that again. */
  CompletableFuture<Outcome> shaken(boolean isDiscovering) {
    CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    CompletableFuture<Optional<Era>> discovered =
        isDiscovering ? discovered() : CompletableFuture.completedFuture(Optional.empty());
    CompletableFuture<Optional<Era>> introduced = introducedUnless(discovered);
    knows(outcome, discovered);
    knows(outcome, introduced);
    CompletableFuture<Void> _ =
        CompletableFuture.allOf(discovered, introduced)
            .thenRun(() -> outcome.complete(known(discovered.join().or(introduced::join))));
    return outcome;
  }

  private static Outcome known(Optional<Era> found) {
    return found
        .<Outcome>map(Outcome.Known::new)
        .orElseGet(() -> new Outcome.Failed("it answers neither server/discover nor initialize"));
  }

  private static void knows(
      CompletableFuture<Outcome> outcome, CompletableFuture<Optional<Era>> found) {
    CompletableFuture<Void> _ =
        found.thenAccept(era -> era.ifPresent(it -> outcome.complete(new Outcome.Known(it))));
  }

  private CompletableFuture<Optional<Era>> discovered() {
    String params = new Era.Stateless(Revisions.STATELESS.getFirst(), asker, null).dressed(null);
    return asked("server/discover", params).thenApply(this::stateless);
  }

  private Optional<Era> stateless(@Nullable Received answer) {
    return switch (answer) {
      case Received.Result(var json, _) -> stateless(Members.of(json), "supportedVersions", json);
      case Received.RpcError(var code, _, var data)
          when code != null && code == UNSUPPORTED_VERSION ->
          stateless(Members.of(data == null ? null : data.toString()), "supported", null);
      case Received.RpcError _, Received.Other _, Received.Unreadable _ -> Optional.empty();
      case null -> Optional.empty();
    };
  }

  private Optional<Era> stateless(Members of, String member, @Nullable String discovered) {
    List<String> versions =
        of.json(member).flatMap(Elements::of).orElse(List.of()).stream()
            .map(it -> it.replace("\"", ""))
            .toList();
    return Era.Stateless.of(versions, asker, discovered).map(it -> it);
  }

  private CompletableFuture<Optional<Era>> introducedUnless(
      CompletableFuture<Optional<Era>> discovered) {
    CompletableFuture<Optional<Era>> introduced = new CompletableFuture<>();
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

  private CompletableFuture<Optional<Era>> introduced() {
    return asked("initialize", introduction())
        .thenApply(answer -> {
          if (!(answer instanceof Received.Result(var json, _))) {
            return Optional.empty();
          }
          boolean _ = dialogue.tell("notifications/initialized", null);
          return Optional.of(new Era.Sessions(json));
        });
  }

  private String introduction() {
    return "{\"protocolVersion\":%s,\"capabilities\":{},\"clientInfo\":%s}"
        .formatted(quoted(Revisions.AGREED.getFirst()), asker);
  }

  private CompletableFuture<@Nullable Received> asked(String method, @Nullable String params) {
    return dialogue
        .ask(new Question(method, params, null, millisMax, false), _ -> {})
        .thenApply(ending ->
            ending instanceof Ending.Answered(var id, var line) ? reader.read(line, id) : null);
  }
}
