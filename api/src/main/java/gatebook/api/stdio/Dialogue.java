package gatebook.api.stdio;

import gatebook.api.border.Caller;
import gatebook.api.border.Conversation;
import gatebook.api.border.Incoming;
import gatebook.api.border.Reply;
import gatebook.api.daemon.Own;
import gatebook.api.rpc.Message;
import gatebook.api.rpc.MessageReader;
import gatebook.command.rules.Limits;
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
final class Dialogue {

  private static final Logger LOG = LoggerFactory.getLogger(Dialogue.class);
  private static final int ACCEPTED = 202;

  /** How long a journal may take to record that it is told to end. */
  private static final long SHUTDOWN_MILLIS_MAX = 800;

  private final Side side;
  private final Stdin stdin;
  private final FrameReader reader;
  private final FrameWriter writer;
  private final Leaving presence = new Leaving();
  private long messages;

  /** Who answers. */
  record Side(
      BiFunction<Dialect, Incoming, CompletableFuture<Reply>> border,
      Own own,
      BiFunction<Dialect, Throwable, CompletableFuture<Reply>> failures,
      Refusals refusals,
      Optional<Desk> desk,
      Supplier<Limits> limits) {}

  /** Tells callers of faults that somebody else than the border found. */
  interface Refusals {

    CompletableFuture<Reply> recorded(Incoming incoming, Fault fault);

    /** Where there cannot be a record now. */
    Reply unrecorded(Incoming incoming, Fault fault);
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

  Dialogue(Side side, Stdin stdin, FrameWriter writer) {
    this.side = side;
    this.stdin = stdin;
    this.reader = new FrameReader(side.limits, System::nanoTime);
    this.writer = writer;
  }

  /** How many came, with those that were none. */
  long messages() {
    return messages;
  }

  /** Returns when it is over. */
  End hold() throws InterruptedException {
    stdin.talk();
    End end = null;
    while (end == null) {
      end = goOn();
    }
    presence.gone();
    return end;
  }

  private @Nullable End goOn() throws InterruptedException {
    try {
      return switch (stdin.next(reader.patienceNanos())) {
        case Stdin.Happening.Bytes(var bytes) -> take(bytes);
        case Stdin.Happening.Nothing() -> late();
        case Stdin.Happening.End(var failure) -> ended(failure);
        case Stdin.Happening.Stop() -> End.TOLD_TO_STOP;
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
    if (stdin.isStopped()) {
      return End.TOLD_TO_STOP;
    }
    return stdin.isOver() ? End.GIVEN_UP : null;
  }

  /** Of what is passed over nobody is told again, but its end is logged. */
  private @Nullable End late() throws IOException, InterruptedException {
    long received = reader.receivedBytes();
    Arrival arrival = reader.timedOut();
    if (arrival == null) {
      LOG.atWarn()
          .addKeyValue("timeout_millis", side.limits.get().readMillisMax())
          .addKeyValue("received_bytes", received)
          .log("the rest of a frame that was refused did not come in time");
    }
    return answered(arrival);
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

  private @Nullable End answered(@Nullable Arrival arrival)
      throws IOException, InterruptedException {
    messages += arrival == null ? 0 : 1;
    return switch (arrival) {
      case null -> null;
      case Arrival.Whole(var body) -> answered(body);
      case Arrival.Refused(var fault, var body, long sizeBytes) -> {
        Reply reply = served(new Message.Unreadable(fault, id(body)), sizeBytes);
        yield fault instanceof ReadTimeout ? endOf(reply) : written(reply);
      }
    };
  }

  /** What this process has no room for is told to be its fault, and the next message is taken. */
  private @Nullable End answered(byte[] body) throws IOException, InterruptedException {
    Message message;
    try {
      message = read(body);
    } catch (OutOfMemoryError | StackOverflowError e) {
      return written(stdin.patiently(side.failures.apply(Dialect.DAEMON, e)));
    }
    return answered(message, body);
  }

  private @Nullable End answered(Message message, byte[] body)
      throws IOException, InterruptedException {
    if (message instanceof Message.Request request
        && side.desk.isPresent()
        && Questions.include(request.method())) {
      return answered(request, body, side.desk.get());
    }
    if (message instanceof Message.Request request && Own.isShutdown(request.method())) {
      return shutDown(request, body.length);
    }
    Reply reply = served(message, body.length);
    if (reply != null
        && reply.httpStatus() == ACCEPTED
        && message instanceof Message.Notification notification) {
      side.own.heed(notification);
    }
    return written(reply);
  }

  /**
   * Operators' questions may take their time, and are not asked of the border, which has the words
   * for what comes of them but an answer.
   */
  private @Nullable End answered(Message.Request request, byte[] body, Desk desk)
      throws IOException, InterruptedException {
    Optional<byte[]> answer =
        stdin.patiently(
            CompletableFuture.supplyAsync(() -> desk.answer(body), Thread::startVirtualThread)
                .exceptionally(Dialogue::unanswered));
    if (answer == null) {
      return End.GIVEN_UP;
    }
    Optional<Fault> fault =
        answer.isPresent()
            ? DeskAnswer.fault(request.method(), answer.get())
            : Optional.of(new ServiceUnavailable(Cause.JOURNAL, null));
    if (fault.isPresent()) {
      Incoming incoming = incoming(request, body.length);
      return written(stdin.patiently(side.refusals.recorded(incoming, fault.get())));
    }
    writer.write(answer.get());
    return null;
  }

  /** Whoever ends this process need not wait for a journal that answers nobody. */
  private @Nullable End shutDown(Message.Request request, long sizeBytes)
      throws IOException, InterruptedException {
    Incoming incoming = incoming(request, sizeBytes);
    Optional<Reply> reply =
        stdin.patiently(
            side.border
                .apply(Dialect.DAEMON, incoming)
                .thenApply(Optional::of)
                .completeOnTimeout(Optional.empty(), SHUTDOWN_MILLIS_MAX, TimeUnit.MILLISECONDS));
    if (reply == null) {
      return End.GIVEN_UP;
    }
    if (reply.isEmpty()) {
      side.own.stop();
    }
    return written(
        reply.orElseGet(
            () -> side.refusals.unrecorded(incoming, new ServiceUnavailable(Cause.JOURNAL, null))));
  }

  private static Optional<byte[]> unanswered(Throwable failure) {
    LOG.error("an operator's question could not be answered", failure);
    return Optional.empty();
  }

  private @Nullable Reply served(Message message, long sizeBytes) throws InterruptedException {
    return stdin.patiently(side.border.apply(Dialect.DAEMON, incoming(message, sizeBytes)));
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

  private Incoming incoming(Message message, long sizeBytes) {
    return new Incoming(
        message,
        sizeBytes,
        Transport.FRAMES,
        new Caller(List.of(), true, presence),
        null,
        null,
        null,
        Conversation.NONE,
        Map.of());
  }

  private Message read(byte[] body) {
    return new MessageReader(side.limits.get().depthMax()).read(body);
  }

  /** Whoever got a header wrong can still be told which of its requests that was. */
  private @Nullable String id(byte @Nullable [] body) {
    if (body == null) {
      return null;
    }
    return switch (read(body)) {
      case Message.Request request -> request.id();
      case Message.Notification _ -> null;
      case Message.Unreadable unreadable -> unreadable.id();
    };
  }
}
