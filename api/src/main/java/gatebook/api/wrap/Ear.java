package gatebook.api.wrap;

import gatebook.api.border.Border;
import gatebook.api.border.Caller;
import gatebook.api.border.Incoming;
import gatebook.api.border.Presence;
import gatebook.api.border.Reply;
import gatebook.api.rpc.Members;
import gatebook.api.rpc.Message;
import gatebook.api.rpc.MessageReader;
import gatebook.api.rpc.Replied;
import gatebook.api.upstream.Revisions;
import gatebook.api.upstream.process.Lines;
import gatebook.api.upstream.process.Lines.Line;
import gatebook.command.rules.Limits;
import gatebook.events.CallAbandoned.Cause;
import gatebook.events.call.Dialect;
import gatebook.events.call.Transport;
import gatebook.events.fault.Malformed;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Hears the client, line by line. Its requests and notifications cross the border; its answers to
 * the server's questions go to the server.
 */
final class Ear {

  /** Requests that are not answered yet; the client's next line waits until there are fewer. */
  private static final int OPEN_MAX = 4_096;

  private static final String META = "_meta";

  private final Border border;
  private final Supplier<Limits> limits;
  private final Aloud aloud;
  private final Mouth mouth;
  private final Map<String, Waiting> waiting = new ConcurrentHashMap<>();
  private final Semaphore open = new Semaphore(OPEN_MAX);
  private volatile boolean isOver;

  Ear(Border border, Supplier<Limits> limits, Aloud aloud, Mouth mouth) {
    this.border = border;
    this.limits = limits;
    this.aloud = aloud;
    this.mouth = mouth;
  }

  /** Takes what the client says, until it says nothing more. */
  void listen(InputStream in) {
    Lines lines = new Lines(in, limits.get().bodyBytesMax());
    try {
      for (Line line = lines.next(); line != null && !isOver; line = lines.next()) {
        take(line);
      }
    } catch (IOException _) {
      // whoever cannot be heard has left
    }
  }

  /** Waits until every request is answered, but not longer than this. */
  boolean isQuietWithin(long millis) throws InterruptedException {
    boolean isQuiet = open.tryAcquire(OPEN_MAX, millis, TimeUnit.MILLISECONDS);
    if (isQuiet) {
      open.release(OPEN_MAX);
    }
    return isQuiet;
  }

  /** Nobody waits for anything any longer. */
  void end() {
    isOver = true;
    waiting.values().forEach(caller -> caller.end(Cause.DISCONNECTED));
  }

  private void take(Line line) {
    switch (line) {
      case Line.Overlong(long bytes, _) ->
          take(
              new Message.Unreadable(
                  new Malformed.Oversize(limits.get().bodyBytesMax(), null), null),
              bytes);
      case Line.Whole(var bytes) when Lines.isBlank(bytes) -> {
        // some put a blank line between messages
      }
      case Line.Whole(var bytes) -> take(bytes);
    }
  }

  private void take(byte[] line) {
    Message message = new MessageReader(limits.get().depthMax()).read(line);
    Optional<Replied> reply =
        message instanceof Message.Unreadable
            ? Replied.of(line, limits.get().depthMax())
            : Optional.empty();
    if (reply.isEmpty()) {
      take(message, line.length);
    } else if (!aloud.isReply(reply.get())) {
      // what answers nothing is recorded, and not answered in turn
      CompletableFuture<Reply> _ = served(message, line.length, Presence.UNSEEN);
    }
  }

  private void take(Message message, long sizeBytes) {
    switch (message) {
      case Message.Request request -> ask(request, sizeBytes);
      case Message.Notification notification -> tell(notification, sizeBytes);
      case Message.Unreadable unreadable -> answer(served(unreadable, sizeBytes, Presence.UNSEEN));
    }
  }

  private void ask(Message.Request request, long sizeBytes) {
    Waiting caller = new Waiting();
    waiting.put(request.id(), caller);
    answer(
        served(request, sizeBytes, caller)
            .whenComplete((_, _) -> waiting.remove(request.id(), caller)));
  }

  /** The next line may rely on the server having it. */
  private void tell(Message.Notification notification, long sizeBytes) {
    Reply _ = served(notification, sizeBytes, Presence.UNSEEN).join();
    if (notification.method().equals(WrapMethods.CANCELLED)) {
      Waiting cancelled = notification.members().json("requestId").map(waiting::get).orElse(null);
      if (cancelled != null) {
        cancelled.end(Cause.CANCELLED);
      }
    }
  }

  private void answer(CompletableFuture<Reply> reply) {
    open.acquireUninterruptibly();
    CompletableFuture<Void> _ =
        reply.thenAccept(it -> {
          byte @Nullable [] body = it.body();
          if (body == null) {
            open.release();
          } else {
            mouth.answer(body, open::release);
          }
        });
  }

  private CompletableFuture<Reply> served(Message message, long sizeBytes, Presence presence) {
    return border.serve(
        Dialect.MCP,
        new Incoming(
            message,
            sizeBytes,
            Transport.LINES,
            new Caller(List.of(), true, presence),
            null,
            null,
            version(message.members()),
            aloud,
            Map.of()));
  }

  private static @Nullable String version(Members params) {
    return params
        .members(META)
        .text(Revisions.VERSION_KEY)
        .or(() -> params.text("protocolVersion"))
        .orElse(null);
  }
}
