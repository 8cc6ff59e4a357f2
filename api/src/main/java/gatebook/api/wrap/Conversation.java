package gatebook.api.wrap;

import gatebook.api.border.Border;
import gatebook.api.border.Caller;
import gatebook.api.border.Incoming;
import gatebook.api.border.Presence;
import gatebook.api.border.Reply;
import gatebook.api.rpc.Members;
import gatebook.api.rpc.Message;
import gatebook.api.rpc.MessageReader;
import gatebook.api.rpc.Received;
import gatebook.api.rpc.ResponseReader;
import gatebook.api.upstream.process.Dialogue;
import gatebook.api.upstream.process.Lines;
import gatebook.api.upstream.process.Lines.Line;
import gatebook.command.rules.Limits;
import gatebook.events.call.Dialect;
import gatebook.events.call.Transport;
import gatebook.events.fault.Malformed;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What one client and one server say to each other, each line by line. Requests and notifications
 * of the client cross the border; its answers to the server's requests go to the server, and what
 * the server says goes to the client.
 */
final class Conversation {

  /** Requests that are not answered yet; the client's next line waits until there are fewer. */
  private static final int OPEN_MAX = 4_096;

  private static final String META = "_meta";
  private static final String VERSION = "io.modelcontextprotocol/protocolVersion";

  private final Border border;
  private final Supplier<Limits> limits;
  private final Dialogue dialogue;
  private final Mouth mouth;
  private final Subscriptions subscriptions;
  private final ServersRequests serversRequests = new ServersRequests();
  private final Map<String, Waiting> waiting = new ConcurrentHashMap<>();
  private final Semaphore open = new Semaphore(OPEN_MAX);
  private volatile boolean isOver;

  Conversation(
      Border border,
      Supplier<Limits> limits,
      Dialogue dialogue,
      Mouth mouth,
      Subscriptions subscriptions) {
    this.border = border;
    this.limits = limits;
    this.dialogue = dialogue;
    this.mouth = mouth;
    this.subscriptions = subscriptions;
    dialogue.listen(this::serverSays);
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
    waiting.values().forEach(Waiting::end);
  }

  private void serverSays(byte[] message) {
    serversRequests.note(reader().read(message));
    mouth.aside(message);
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
    Message message = reader().read(line);
    if (message instanceof Message.Unreadable unreadable
        && unreadable.id() != null
        && isAnswer(line, unreadable.id())) {
      answered(line, unreadable.id(), unreadable);
    } else {
      take(message, line.length);
    }
  }

  /** What answers nothing is recorded, and not answered in turn. */
  private void answered(byte[] line, String id, Message.Unreadable asMessage) {
    if (serversRequests.isAnswered(id)) {
      boolean _ = dialogue.pass(line); // a server that takes nothing is about to end
    } else {
      CompletableFuture<Reply> _ = served(asMessage, line.length, Presence.UNSEEN);
    }
  }

  private boolean isAnswer(byte[] line, String id) {
    return switch (new ResponseReader(limits.get().depthMax()).read(line, id)) {
      case Received.Result _, Received.RpcError _ -> true;
      case Received.Other _, Received.Unreadable _ -> false;
    };
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
    subscriptions.begun(request.id(), request.method(), request.params());
    answer(
        served(request, sizeBytes, caller)
            .whenComplete((_, _) -> {
              waiting.remove(request.id(), caller);
              subscriptions.ended(request.id(), request.method(), request.params());
            }));
  }

  /** The next line may rely on the server having it. */
  private void tell(Message.Notification notification, long sizeBytes) {
    Reply _ = served(notification, sizeBytes, Presence.UNSEEN).join();
    if (notification.method().equals(WrapMethods.CANCELLED)) {
      Waiting cancelled = notification.members().json("requestId").map(waiting::get).orElse(null);
      if (cancelled != null) {
        cancelled.end();
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
            Map.of()));
  }

  private static @Nullable String version(Members params) {
    return params.members(META).text(VERSION).or(() -> params.text("protocolVersion")).orElse(null);
  }

  private MessageReader reader() {
    return new MessageReader(limits.get().depthMax());
  }
}
