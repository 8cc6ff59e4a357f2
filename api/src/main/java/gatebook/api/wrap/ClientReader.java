package gatebook.api.wrap;

import gatebook.api.gateway.Gateway;
import gatebook.api.gateway.message.Caller;
import gatebook.api.gateway.message.CallerConnection;
import gatebook.api.gateway.message.IncomingMessage;
import gatebook.api.gateway.message.PendingCaller;
import gatebook.api.gateway.message.Reply;
import gatebook.api.memory.InFlightMemory;
import gatebook.api.memory.MemoryReservation;
import gatebook.api.rpc.ClientReply;
import gatebook.api.rpc.MessageReader;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.rpc.RpcMessage;
import gatebook.api.upstream.mcp.McpMethod;
import gatebook.api.upstream.mcp.McpRevisions;
import gatebook.api.upstream.process.LineReader;
import gatebook.api.upstream.process.LineReader.Line;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
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
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the client's messages, one a line. Its requests and notifications go through the gateway;
 * its responses to the server's requests go to the server.
 */
final class ClientReader {

  /** Unanswered requests; at this many the client's next line is not read. */
  private static final int OPEN_MAX = 4_096;

  /** The input is read when it was so at this many checks, one after the other. */
  private static final int QUIET_CHECKS = 5;

  private static final long CHECK_MILLIS = 20;

  private static final String META = "_meta";

  private final Gateway gateway;
  private final Supplier<GatewayLimits> limits;
  private final ServerBridge serverBridge;
  private final ClientWriter clientWriter;
  private final Map<String, PendingCaller> pending = new ConcurrentHashMap<>();
  private final Semaphore unanswered = new Semaphore(OPEN_MAX);
  private volatile InputStream input = InputStream.nullInputStream();

  /** How many lines were processed. */
  private final AtomicLong lines = new AtomicLong();

  private volatile boolean isDisconnected;

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

  /** Processes the client's messages until the end of input. */
  void readAll(InputStream in) {
    input = in;
    LineReader lineReader = new LineReader(in, limits.get().get(Limit.BODY_BYTES_MAX));
    try {
      for (Line line = lineReader.next();
          line != null && !isDisconnected;
          line = lineReader.next()) {
        process(line);
        lines.incrementAndGet();
      }
    } catch (IOException _) {
      // a client that cannot be read from has left
    }
  }

  /** Waits until what the client has sent is processed; more that arrives soon is included. */
  void awaitRead(long millisMax) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millisMax);
    long before = -1;
    for (int quiet = 0; quiet < QUIET_CHECKS && System.nanoTime() < end; quiet++) {
      if (lines.get() != before || hasInput()) {
        before = lines.get();
        quiet = 0;
      }
      TimeUnit.MILLISECONDS.sleep(CHECK_MILLIS);
    }
  }

  private boolean hasInput() {
    try {
      return input.available() > 0;
    } catch (IOException _) {
      return false; // it is closed
    }
  }

  /** Waits until every request is answered; returns whether that was in time. */
  boolean awaitAnswers(long millis) throws InterruptedException {
    boolean areAllAnswered = unanswered.tryAcquire(OPEN_MAX, millis, TimeUnit.MILLISECONDS);
    if (areAllAnswered) {
      unanswered.release(OPEN_MAX);
    }
    return areAllAnswered;
  }

  /** The client has left: no call is waited for any longer. */
  void disconnect() {
    isDisconnected = true;
    pending.values().forEach(caller -> caller.end(Cause.DISCONNECTED));
  }

  private void process(Line line) {
    switch (line) {
      case Line.Overlong(_, _, var requestId, boolean isDropped) when isDropped ->
          refuse(requestId);
      case Line.Overlong(long bytes, _, _, _) ->
          process(
              new RpcMessage.Unreadable(
                  new Malformed.Oversize(limits.get().get(Limit.BODY_BYTES_MAX), null), null),
              bytes,
              InFlightMemory.OF_PROCESS.openUnheld());
      case Line.Whole(var bytes, _) when LineReader.isBlank(bytes) -> {
        // some clients write a blank line between messages
      }
      case Line.Whole(var bytes, var memory) -> process(bytes, memory);
    }
  }

  /** Answers a request for which there was no memory; a message without an id is only counted. */
  private void refuse(@Nullable String requestId) {
    Reply reply = gateway.overload(Dialect.MCP, Transport.LINES, requestId);
    if (requestId != null) {
      respond(CompletableFuture.completedFuture(reply), InFlightMemory.OF_PROCESS.openUnheld());
    }
  }

  private void process(byte[] line, MemoryReservation memory) {
    RpcMessage rpcMessage = new MessageReader(limits.get().getInt(Limit.DEPTH_MAX)).read(line);
    Optional<ClientReply> reply =
        rpcMessage instanceof RpcMessage.Unreadable
            ? ClientReply.of(line, limits.get().getInt(Limit.DEPTH_MAX))
            : Optional.empty();
    if (reply.isEmpty()) {
      process(rpcMessage, line.length, memory);
    } else if (!serverBridge.isReply(reply.get())) {
      // a response to no known request is recorded, and gets no response
      CompletableFuture<Reply> _ =
          serve(rpcMessage, line.length, CallerConnection.UNOBSERVED, memory);
    }
  }

  private void process(RpcMessage rpcMessage, long sizeBytes, MemoryReservation memory) {
    switch (rpcMessage) {
      case RpcMessage.Request request -> serveRequest(request, sizeBytes, memory);
      case RpcMessage.Notification notification ->
          serveNotification(notification, sizeBytes, memory);
      case RpcMessage.Unreadable unreadable ->
          respond(serve(unreadable, sizeBytes, CallerConnection.UNOBSERVED, memory), memory);
    }
  }

  private void serveRequest(RpcMessage.Request request, long sizeBytes, MemoryReservation memory) {
    PendingCaller caller = new PendingCaller();
    pending.put(request.id(), caller);
    respond(
        serve(request, sizeBytes, caller, memory)
            .whenComplete((_, _) -> pending.remove(request.id(), caller)),
        memory);
  }

  /** Waits, since the next line may rely on the server having the notification. */
  private void serveNotification(
      RpcMessage.Notification notification, long sizeBytes, MemoryReservation memory) {
    Reply _ = serve(notification, sizeBytes, CallerConnection.UNOBSERVED, memory).join();
    if (notification.method().equals(McpMethod.NOTIFICATIONS_CANCELLED)) {
      PendingCaller cancelled =
          notification.members().json("requestId").map(pending::get).orElse(null);
      if (cancelled != null) {
        cancelled.end(Cause.CANCELLED);
      }
    }
  }

  /** Writes the reply; the memory of its call is held until then. */
  private void respond(CompletableFuture<Reply> reply, MemoryReservation memory) {
    unanswered.acquireUninterruptibly();
    MemoryReservation _ = memory.hold();
    Runnable onWritten =
        () -> {
          memory.release();
          unanswered.release();
        };
    CompletableFuture<Void> _ =
        reply.thenAccept(it -> {
          byte @Nullable [] body = it.body();
          if (body == null) {
            onWritten.run();
          } else {
            clientWriter.sendAnswer(body, onWritten);
          }
        });
  }

  private CompletableFuture<Reply> serve(
      RpcMessage rpcMessage,
      long sizeBytes,
      CallerConnection callerConnection,
      MemoryReservation memory) {
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
            Map.of(),
            null,
            memory));
  }

  private static @Nullable String version(ObjectMembers params) {
    return params
        .members(META)
        .text(McpRevisions.VERSION_KEY)
        .or(() -> params.text("protocolVersion"))
        .orElse(null);
  }
}
