package gatebook.api.stdio;

import gatebook.api.daemon.BuiltInMethods;
import gatebook.api.gateway.Caller;
import gatebook.api.gateway.ClientChannel;
import gatebook.api.gateway.IncomingMessage;
import gatebook.api.gateway.Reply;
import gatebook.api.rpc.MessageReader;
import gatebook.api.rpc.RpcMessage;
import gatebook.command.rules.GatewayLimits;
import gatebook.events.call.Dialect;
import gatebook.events.call.Transport;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Malformed.ReadTimeout;
import gatebook.events.fault.ServerFault.Cause;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One caller's messages, answered one after the other in the order in which they came, each before
 * the next begins.
 */
final class FrameLoop {

  private static final Logger LOG = LoggerFactory.getLogger(FrameLoop.class);
  private static final int ACCEPTED = 202;

  /** How long a journal may take to record that it is told to end. */
  private static final long SHUTDOWN_MILLIS_MAX = 800;

  private final Side side;
  private final StdinReader stdinReader;
  private final FrameReader reader;
  private final FrameWriter writer;
  private final StdioCaller presence = new StdioCaller();
  private long messages;

  /** Who answers. */
  record Side(
      BiFunction<Dialect, IncomingMessage, CompletableFuture<Reply>> border,
      BuiltInMethods own,
      BiFunction<Dialect, Throwable, CompletableFuture<Reply>> failures,
      Refusals refusals,
      Optional<Desk> desk,
      Supplier<GatewayLimits> limits) {}

  /** Tells callers of faults that somebody else than the border found. */
  interface Refusals {

    CompletableFuture<Reply> recorded(IncomingMessage incomingMessage, Fault fault);

    /** Where there cannot be a record now. */
    Reply unrecorded(IncomingMessage incomingMessage, Fault fault);
  }

  /** The operators' desk, to somebody who has a token; no answer when it cannot be reached. */
  @FunctionalInterface
  interface Desk {
    Optional<byte[]> answer(byte[] message);
  }

  /** How it came to its end. */
  enum End {
    CLOSED,
    TOLD_TO_STOP,
    /** An answer was still being waited for. */
    GIVEN_UP,
    /** It can no longer be read from, or written to. */
    BROKEN
  }

  FrameLoop(Side side, StdinReader stdinReader, FrameWriter writer) {
    this.side = side;
    this.stdinReader = stdinReader;
    this.reader = new FrameReader(side.limits, System::nanoTime);
    this.writer = writer;
  }

  /** How many came, with those that were none. */
  long messages() {
    return messages;
  }

  /** Returns when it is over. */
  End hold() throws InterruptedException {
    stdinReader.talk();
    End end = null;
    while (end == null) {
      end = goOn();
    }
    presence.gone();
    return end;
  }

  private @Nullable End goOn() throws InterruptedException {
    try {
      return switch (stdinReader.next(reader.patienceNanos())) {
        case StdinReader.Happening.Bytes(var bytes) -> take(bytes);
        case StdinReader.Happening.Nothing() -> late();
        case StdinReader.Happening.End(var failure) -> ended(failure);
        case StdinReader.Happening.Stop() -> End.TOLD_TO_STOP;
      };
    } catch (IOException e) {
      return broken(e);
    }
  }

  /** A frame is late by its clock, however much there is to read meanwhile. */
  private @Nullable End take(ByteBuffer bytes) throws IOException, InterruptedException {
    End end = null;
    while (end == null && bytes.hasRemaining()) {
      end = over();
      if (end == null) {
        end = answered(reader.next(bytes));
      }
      if (end == null && reader.patienceNanos().orElse(1) <= 0) {
        end = late();
      }
    }
    return end;
  }

  /** What was not begun when time has become short is not begun. */
  private @Nullable End over() {
    if (stdinReader.isStopped()) {
      return End.TOLD_TO_STOP;
    }
    return stdinReader.isOver() ? End.GIVEN_UP : null;
  }

  /** Of what is passed over nobody is told again, but its end is logged. */
  private @Nullable End late() throws IOException, InterruptedException {
    long received = reader.receivedBytes();
    FrameEvent frameEvent = reader.timedOut();
    if (frameEvent == null) {
      LOG.atWarn()
          .addKeyValue("timeout_millis", side.limits.get().readMillisMax())
          .addKeyValue("received_bytes", received)
          .log("the rest of a frame that was refused did not come in time");
    }
    return answered(frameEvent);
  }

  private static End broken(IOException why) {
    String sentence = "standard output cannot be written to: give a pipe or a file that waits";
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
      case FrameEvent.Whole(var body) -> answered(body);
      case FrameEvent.Refused(var fault, var body, long sizeBytes) -> {
        Reply reply = served(new RpcMessage.Unreadable(fault, id(body)), sizeBytes);
        yield fault instanceof ReadTimeout ? endOf(reply) : written(reply);
      }
    };
  }

  /** What this process has no room for is told to be its fault, and the next message is taken. */
  private @Nullable End answered(byte[] body) throws IOException, InterruptedException {
    RpcMessage rpcMessage;
    try {
      rpcMessage = read(body);
    } catch (OutOfMemoryError | StackOverflowError e) {
      return written(stdinReader.patiently(side.failures.apply(Dialect.DAEMON, e)));
    }
    return answered(rpcMessage, body);
  }

  private @Nullable End answered(RpcMessage rpcMessage, byte[] body)
      throws IOException, InterruptedException {
    if (rpcMessage instanceof RpcMessage.Request request
        && side.desk.isPresent()
        && StdioAuditMethods.include(request.method())) {
      return answered(request, body, side.desk.get());
    }
    if (rpcMessage instanceof RpcMessage.Request request
        && BuiltInMethods.isShutdown(request.method())) {
      return shutDown(request, body.length);
    }
    Reply reply = served(rpcMessage, body.length);
    if (reply != null
        && reply.httpStatus() == ACCEPTED
        && rpcMessage instanceof RpcMessage.Notification notification) {
      side.own.heed(notification);
    }
    return written(reply);
  }

  /**
   * Operators' questions may take their time, and are not asked of the border, which has the words
   * for what comes of them but an answer.
   */
  private @Nullable End answered(RpcMessage.Request request, byte[] body, Desk desk)
      throws IOException, InterruptedException {
    Optional<byte[]> answer =
        stdinReader.patiently(
            CompletableFuture.supplyAsync(() -> desk.answer(body), Thread::startVirtualThread)
                .exceptionally(FrameLoop::unanswered));
    if (answer == null) {
      return End.GIVEN_UP;
    }
    Optional<Fault> fault =
        answer.isPresent()
            ? OperatorAnswer.fault(request.method(), answer.get())
            : Optional.of(new ServiceUnavailable(Cause.JOURNAL, null));
    if (fault.isPresent()) {
      IncomingMessage incomingMessage = incoming(request, body.length);
      return written(stdinReader.patiently(side.refusals.recorded(incomingMessage, fault.get())));
    }
    writer.write(answer.get());
    return null;
  }

  /** Whoever ends this process need not wait for a journal that answers nobody. */
  private @Nullable End shutDown(RpcMessage.Request request, long sizeBytes)
      throws IOException, InterruptedException {
    IncomingMessage incomingMessage = incoming(request, sizeBytes);
    Optional<Reply> reply =
        stdinReader.patiently(
            side.border
                .apply(Dialect.DAEMON, incomingMessage)
                .thenApply(Optional::of)
                .completeOnTimeout(Optional.empty(), SHUTDOWN_MILLIS_MAX, TimeUnit.MILLISECONDS));
    if (reply == null) {
      return End.GIVEN_UP;
    }
    if (reply.isEmpty()) {
      side.own.stop();
    }
    return written(
        reply.orElseGet(() ->
            side.refusals.unrecorded(
                incomingMessage, new ServiceUnavailable(Cause.JOURNAL, null))));
  }

  private static Optional<byte[]> unanswered(Throwable failure) {
    LOG.error("an operator's question could not be answered", failure);
    return Optional.empty();
  }

  private @Nullable Reply served(RpcMessage rpcMessage, long sizeBytes)
      throws InterruptedException {
    return stdinReader.patiently(
        side.border.apply(Dialect.DAEMON, incoming(rpcMessage, sizeBytes)));
  }

  private @Nullable End written(@Nullable Reply reply) throws IOException {
    if (reply != null && reply.body() != null) {
      writer.write(reply.body());
    }
    return endOf(reply);
  }

  private static @Nullable End endOf(@Nullable Reply reply) {
    return reply == null ? End.GIVEN_UP : null;
  }

  private IncomingMessage incoming(RpcMessage rpcMessage, long sizeBytes) {
    return new IncomingMessage(
        rpcMessage,
        sizeBytes,
        Transport.FRAMES,
        new Caller(List.of(), true, presence),
        null,
        null,
        null,
        ClientChannel.NONE,
        Map.of());
  }

  private RpcMessage read(byte[] body) {
    return new MessageReader(side.limits.get().depthMax()).read(body);
  }

  /** Whoever got a header wrong can still be told which of its requests that was. */
  private @Nullable String id(byte @Nullable [] body) {
    if (body == null) {
      return null;
    }
    return switch (read(body)) {
      case RpcMessage.Request request -> request.id();
      case RpcMessage.Notification _ -> null;
      case RpcMessage.Unreadable unreadable -> unreadable.id();
    };
  }
}
