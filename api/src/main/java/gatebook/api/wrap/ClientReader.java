package gatebook.api.wrap;

import gatebook.api.gateway.Caller;
import gatebook.api.gateway.CallerConnection;
import gatebook.api.gateway.Gateway;
import gatebook.api.gateway.IncomingMessage;
import gatebook.api.gateway.Reply;
import gatebook.api.rpc.ClientReply;
import gatebook.api.rpc.MessageReader;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.rpc.RpcMessage;
import gatebook.api.upstream.mcp.McpRevisions;
import gatebook.api.upstream.process.LineReader;
import gatebook.api.upstream.process.LineReader.Line;
import gatebook.command.rules.GatewayLimits;
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
final class ClientReader {

  /** Requests that are not answered yet; the client's next line waits until there are fewer. */
  private static final int OPEN_MAX = 4_096;

  private static final String META = "_meta";

  private final Gateway gateway;
  private final Supplier<GatewayLimits> limits;
  private final ServerBridge serverBridge;
  private final ClientWriter clientWriter;
  private final Map<String, PendingRequest> waiting = new ConcurrentHashMap<>();
  private final Semaphore open = new Semaphore(OPEN_MAX);
  private volatile boolean isOver;

  ClientReader(
      Gateway gateway,
      Supplier<GatewayLimits> limits,
      ServerBridge serverBridge,
      ClientWriter clientWriter) {
    this.gateway = gateway;
    this.limits = limits;
    this.serverBridge = serverBridge;
    this.clientWriter = clientWriter;
  }

  /** Takes what the client says, until it says nothing more. */
  void listen(InputStream in) {
    LineReader lineReader = new LineReader(in, limits.get().bodyBytesMax());
    try {
      for (Line line = lineReader.next(); line != null && !isOver; line = lineReader.next()) {
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
              new RpcMessage.Unreadable(
                  new Malformed.Oversize(limits.get().bodyBytesMax(), null), null),
              bytes);
      case Line.Whole(var bytes) when LineReader.isBlank(bytes) -> {
        // some put a blank line between messages
      }
      case Line.Whole(var bytes) -> take(bytes);
    }
  }

  private void take(byte[] line) {
    RpcMessage rpcMessage = new MessageReader(limits.get().depthMax()).read(line);
    Optional<ClientReply> reply =
        rpcMessage instanceof RpcMessage.Unreadable
            ? ClientReply.of(line, limits.get().depthMax())
            : Optional.empty();
    if (reply.isEmpty()) {
      take(rpcMessage, line.length);
    } else if (!serverBridge.isReply(reply.get())) {
      // what answers nothing is recorded, and not answered in turn
      CompletableFuture<Reply> _ = served(rpcMessage, line.length, CallerConnection.UNSEEN);
    }
  }

  private void take(RpcMessage rpcMessage, long sizeBytes) {
    switch (rpcMessage) {
      case RpcMessage.Request request -> ask(request, sizeBytes);
      case RpcMessage.Notification notification -> tell(notification, sizeBytes);
      case RpcMessage.Unreadable unreadable ->
          answer(served(unreadable, sizeBytes, CallerConnection.UNSEEN));
    }
  }

  private void ask(RpcMessage.Request request, long sizeBytes) {
    PendingRequest caller = new PendingRequest();
    waiting.put(request.id(), caller);
    answer(
        served(request, sizeBytes, caller)
            .whenComplete((_, _) -> waiting.remove(request.id(), caller)));
  }

  /** The next line may rely on the server having it. */
  private void tell(RpcMessage.Notification notification, long sizeBytes) {
    Reply _ = served(notification, sizeBytes, CallerConnection.UNSEEN).join();
    if (notification.method().equals(WrapMethods.CANCELLED)) {
      PendingRequest cancelled =
          notification.members().json("requestId").map(waiting::get).orElse(null);
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
            clientWriter.answer(body, open::release);
          }
        });
  }

  private CompletableFuture<Reply> served(
      RpcMessage rpcMessage, long sizeBytes, CallerConnection callerConnection) {
    return gateway.serve(
        Dialect.MCP,
        new IncomingMessage(
            rpcMessage,
            sizeBytes,
            Transport.LINES,
            new Caller(List.of(), true, callerConnection),
            null,
            null,
            version(rpcMessage.members()),
            serverBridge,
            Map.of()));
  }

  private static @Nullable String version(ObjectMembers params) {
    return params
        .members(META)
        .text(McpRevisions.VERSION_KEY)
        .or(() -> params.text("protocolVersion"))
        .orElse(null);
  }
}
