package gatebook.api.stdio;

import gatebook.api.daemon.BuiltInMethods;
import gatebook.api.gateway.message.Caller;
import gatebook.api.gateway.message.ClientChannel;
import gatebook.api.gateway.message.IncomingMessage;
import gatebook.api.gateway.message.PendingCaller;
import gatebook.api.gateway.message.Reply;
import gatebook.api.rpc.MessageReader;
import gatebook.api.rpc.RpcMessage;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import gatebook.events.CallAbandoned.Cause;
import gatebook.events.call.Dialect;
import gatebook.events.call.Transport;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Malformed.ReadTimeout;
import gatebook.events.fault.ServerFault;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop that answers the frames of one caller in their order, each before the next is processed.
 */
final class FrameLoop {

  private static final Logger LOG = LoggerFactory.getLogger(FrameLoop.class);
  private static final int ACCEPTED = 202;

  /** How long the journal may take to record a {@code shutdown}. */
  private static final long SHUTDOWN_MILLIS_MAX = 800;

  /** How long the answer to a cancelled request may be on its way. */
  private static final long CANCEL_MILLIS_MAX = 100;

  private final Backend backend;
  private final StdinReader stdinReader;
  private final FrameReader reader;
  private final FrameWriter writer;
  private PendingCaller caller = new PendingCaller();
  private long messages;

  /** The bytes behind the frame that is being answered. */
  private ByteBuffer rest = ByteBuffer.allocate(0);

  /** Whether the message that stops the process is one of these. */
  private boolean wasStoppedAhead;

  /** What answers messages. */
  record Backend(
      BiFunction<Dialect, IncomingMessage, CompletableFuture<Reply>> gateway,
      BuiltInMethods builtInMethods,
      BiFunction<Dialect, Throwable, CompletableFuture<Reply>> failures,
      Refusals refusals,
      Optional<OperatorEndpoint> operatorEndpoint,
      Supplier<GatewayLimits> limits) {}

  /** Turns faults that the gateway did not find into error responses. */
  interface Refusals {

    CompletableFuture<Reply> recorded(IncomingMessage incomingMessage, Fault fault);

    /** For a message for which there was no memory; without an id it is only counted. */
    Reply overload(@Nullable String requestId);

    /** For when the fault cannot be recorded now. */
    Reply unrecorded(IncomingMessage incomingMessage, Fault fault);
  }

  /** Answers an operator's message, with the token of this process; empty while unreachable. */
  @FunctionalInterface
  interface OperatorEndpoint {
    Optional<byte[]> answer(byte[] message);
  }

  /** Why the loop ended. */
  enum End {
    CLOSED,
    STOPPED,
    /** Waiting for an answer took too long. */
    ABANDONED,
    /** Standard input cannot be read, or standard output cannot be written. */
    BROKEN
  }

  FrameLoop(Backend backend, StdinReader stdinReader, FrameWriter writer) {
    this.backend = backend;
    this.stdinReader = stdinReader;
    this.reader = new FrameReader(backend.limits, System::nanoTime);
    this.writer = writer;
  }

  /** How many messages were received, malformed ones included. */
  long messages() {
    return messages;
  }

  /** Answers messages until the end. */
  End run() throws InterruptedException {
    stdinReader.startAnswering();
    End end = null;
    while (end == null) {
      end = step();
    }
    caller.end(Cause.DISCONNECTED);
    reportDropped();
    return end;
  }

  /** Messages that are not begun when the process has to end get no answer. */
  private void reportDropped() {
    long dropped = wasStoppedAhead ? -1 : 0;
    for (ByteBuffer bytes : Stream.concat(Stream.of(rest), stdinReader.drain().stream()).toList()) {
      while (bytes.hasRemaining()) {
        dropped += reader.next(bytes) == null ? 0 : 1;
      }
    }
    reader.release();
    if (dropped > 0) {
      LOG.atWarn()
          .addKeyValue("dropped", dropped)
          .log("messages were dropped, because the process ended before their turn");
    }
  }

  private @Nullable End step() throws InterruptedException {
    try {
      return switch (stdinReader.next(reader.nanosLeft())) {
        case StdinReader.StdinEvent.Bytes(var bytes) -> take(bytes);
        case StdinReader.StdinEvent.Timeout() -> timedOut();
        case StdinReader.StdinEvent.End(var failure) -> ended(failure);
        case StdinReader.StdinEvent.Stop() -> End.STOPPED;
      };
    } catch (IOException e) {
      return broken(e);
    }
  }

  /** Checks the read timeout after each event too, since bytes may keep coming. */
  private @Nullable End take(ByteBuffer bytes) throws IOException, InterruptedException {
    rest = bytes;
    End end = null;
    while (end == null && bytes.hasRemaining()) {
      end = endIfStopping();
      if (end == null) {
        end = answered(reader.next(bytes));
      }
      if (end == null && reader.nanosLeft().orElse(1) <= 0) {
        end = timedOut();
      }
    }
    return end;
  }

  /** Once the process is stopping, no further message is processed. */
  private @Nullable End endIfStopping() {
    if (stdinReader.isStopped()) {
      return End.STOPPED;
    }
    return stdinReader.isOver() ? End.ABANDONED : null;
  }

  /** A frame that was refused before is not refused again: its timeout is only logged. */
  private @Nullable End timedOut() throws IOException, InterruptedException {
    long received = reader.receivedBytes();
    FrameEvent frameEvent = reader.timedOut();
    if (frameEvent == null) {
      LOG.atWarn()
          .addKeyValue("timeout_millis", backend.limits.get().get(Limit.READ_MILLIS_MAX))
          .addKeyValue("received_bytes", received)
          .log("timeout while skipping the rest of a refused frame");
    }
    return answered(frameEvent);
  }

  private static End broken(IOException why) {
    String sentence = "standard output cannot be written to: use a pipe or file in blocking mode";
    LOG.atError().addKeyValue("reason", why.getMessage()).log(sentence);
    System.err.println(sentence);
    return End.BROKEN;
  }

  private End ended(@Nullable IOException failure) throws IOException, InterruptedException {
    End end = answered(reader.ended());
    if (failure != null) {
      LOG.atError()
          .addKeyValue("reason", failure.getMessage())
          .log("standard input cannot be read from");
      return End.BROKEN;
    }
    return end == null ? End.CLOSED : end;
  }

  private @Nullable End answered(@Nullable FrameEvent frameEvent)
      throws IOException, InterruptedException {
    messages += frameEvent == null ? 0 : 1;
    return switch (frameEvent) {
      case null -> null;
      case FrameEvent.Whole(var body) -> answeredAndReleased(body);
      case FrameEvent.Dropped(var requestId) -> written(backend.refusals.overload(requestId));
      case FrameEvent.Refused(var fault, var body, long sizeBytes) -> {
        Reply reply = served(new RpcMessage.Unreadable(fault, id(body)), sizeBytes);
        yield fault instanceof ReadTimeout ? endOf(reply) : written(reply);
      }
    };
  }

  private @Nullable End answeredAndReleased(byte[] body) throws IOException, InterruptedException {
    try {
      return answered(body);
    } finally {
      reader.release();
    }
  }

  /** A message that exceeds this process's memory gets an error response; the loop goes on. */
  private @Nullable End answered(byte[] body) throws IOException, InterruptedException {
    RpcMessage rpcMessage;
    try {
      rpcMessage = read(body);
    } catch (OutOfMemoryError | StackOverflowError e) {
      return written(stdinReader.await(backend.failures.apply(Dialect.DAEMON, e)));
    }
    return answered(rpcMessage, body);
  }

  private @Nullable End answered(RpcMessage rpcMessage, byte[] body)
      throws IOException, InterruptedException {
    if (rpcMessage instanceof RpcMessage.Request request
        && backend.operatorEndpoint.isPresent()
        && StdioAuditMethods.include(request.method())) {
      return answered(request, body, backend.operatorEndpoint.get());
    }
    if (rpcMessage instanceof RpcMessage.Request request
        && BuiltInMethods.isShutdown(request.method())) {
      return shutDown(request, body.length);
    }
    Reply reply = served(rpcMessage, body.length);
    if (reply != null
        && reply.httpStatus() == ACCEPTED
        && rpcMessage instanceof RpcMessage.Notification notification) {
      backend.builtInMethods.apply(notification);
    }
    return written(reply);
  }

  /**
   * Answers an operator's request without the gateway, since it may take long; the gateway only
   * translates and records a fault.
   */
  private @Nullable End answered(
      RpcMessage.Request request, byte[] body, OperatorEndpoint operatorEndpoint)
      throws IOException, InterruptedException {
    OperatorOutcome outcome =
        stdinReader.await(
            CompletableFuture.supplyAsync(
                    () -> operatorEndpoint.answer(body), Thread::startVirtualThread)
                .thenApply(answer -> OperatorOutcome.of(request, answer))
                .exceptionally(OperatorOutcome::of));
    return switch (outcome) {
      case null -> End.ABANDONED;
      case OperatorOutcome.Answered(var answer) -> {
        writer.write(answer);
        yield null;
      }
      case OperatorOutcome.Refused(var fault) -> {
        IncomingMessage incomingMessage = incoming(request, body.length);
        yield written(stdinReader.await(backend.refusals.recorded(incomingMessage, fault)));
      }
    };
  }

  /** A {@code shutdown} is obeyed also when the journal cannot record it or does not respond. */
  private @Nullable End shutDown(RpcMessage.Request request, long sizeBytes)
      throws IOException, InterruptedException {
    IncomingMessage incomingMessage = incoming(request, sizeBytes);
    Optional<Reply> reply = stdinReader.await(recorded(incomingMessage));
    if (reply == null) {
      return End.ABANDONED;
    }
    backend.builtInMethods.apply(new RpcMessage.Notification(request.method(), request.params()));
    return written(
        reply.orElseGet(() ->
            backend.refusals.unrecorded(
                incomingMessage, new ServiceUnavailable(ServerFault.Cause.JOURNAL, null))));
  }

  /** While a message waits for its answer, those behind it that must not wait are obeyed. */
  private @Nullable Reply served(RpcMessage rpcMessage, long sizeBytes)
      throws IOException, InterruptedException {
    caller = new PendingCaller();
    CompletableFuture<Reply> reply =
        backend.gateway.apply(Dialect.DAEMON, incoming(rpcMessage, sizeBytes));
    LookAhead lookAhead = new LookAhead(backend.limits.get());
    stdinReader.startLookingAhead(reply, rest);
    ByteBuffer behind = stdinReader.lookAhead(reply);
    while (behind != null) {
      for (LookAhead.Urgent urgent : lookAhead.take(behind)) {
        Optional<String> cancelled = BuiltInMethods.cancelled(urgent.message());
        if (cancelled.isPresent() && cancelled.get().equals(rpcMessage.id())) {
          return cancelled(reply);
        }
        if (BuiltInMethods.stops(urgent.message())) {
          stopAhead(urgent);
          return null;
        }
      }
      behind = stdinReader.lookAhead(reply);
    }
    return stdinReader.await(reply);
  }

  /** Abandons the call, whose answer is written only if it was on its way. */
  private @Nullable Reply cancelled(CompletableFuture<Reply> reply) throws InterruptedException {
    caller.end(Cause.CANCELLED);
    return stdinReader.await(
        reply
            .copy()
            .completeOnTimeout(
                new Reply("", ACCEPTED, null), CANCEL_MILLIS_MAX, TimeUnit.MILLISECONDS));
  }

  /** Obeys a message that stops the process before the call in front of it is answered. */
  private void stopAhead(LookAhead.Urgent urgent) throws IOException, InterruptedException {
    wasStoppedAhead = true;
    messages++;
    caller.end(Cause.DISCONNECTED);
    caller = new PendingCaller();
    switch (urgent.message()) {
      case RpcMessage.Request request -> {
        End _ = shutDown(request, urgent.sizeBytes());
      }
      case RpcMessage.Notification notification -> {
        Optional<Reply> _ = stdinReader.await(recorded(incoming(notification, urgent.sizeBytes())));
        backend.builtInMethods.apply(notification);
      }
      case RpcMessage.Unreadable _ -> throw new IllegalStateException("it stops nothing");
    }
  }

  /** The reply of the gateway; empty when the journal cannot record the message in time. */
  private CompletableFuture<Optional<Reply>> recorded(IncomingMessage incomingMessage) {
    return backend
        .gateway
        .apply(Dialect.DAEMON, incomingMessage)
        .thenApply(Optional::of)
        .completeOnTimeout(Optional.empty(), SHUTDOWN_MILLIS_MAX, TimeUnit.MILLISECONDS);
  }

  private @Nullable End written(@Nullable Reply reply) throws IOException {
    if (reply != null && reply.body() != null) {
      writer.write(reply.body());
    }
    return endOf(reply);
  }

  private static @Nullable End endOf(@Nullable Reply reply) {
    return reply == null ? End.ABANDONED : null;
  }

  private IncomingMessage incoming(RpcMessage rpcMessage, long sizeBytes) {
    return new IncomingMessage(
        rpcMessage,
        sizeBytes,
        Transport.FRAMES,
        new Caller(List.of(), true, caller),
        null,
        null,
        null,
        ClientChannel.NONE,
        Map.of());
  }

  private RpcMessage read(byte[] body) {
    return new MessageReader(backend.limits.get().getInt(Limit.DEPTH_MAX)).read(body);
  }

  /** The id of the request in a frame with a wrong header, for the error response. */
  private @Nullable String id(byte @Nullable [] body) {
    return body == null ? null : read(body).id();
  }
}
