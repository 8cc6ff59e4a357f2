package gatebook.api.stdio;

import gatebook.api.border.Caller;
import gatebook.api.border.Conversation;
import gatebook.api.border.Incoming;
import gatebook.api.border.Reply;
import gatebook.api.daemon.Own;
import gatebook.api.rpc.Answer;
import gatebook.api.rpc.Message;
import gatebook.api.rpc.MessageReader;
import gatebook.command.rules.Limits;
import gatebook.events.call.Dialect;
import gatebook.events.call.Transport;
import gatebook.events.fault.Malformed.ReadTimeout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
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
  private static final int NOT_NOW = -32_000;

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
      Optional<Desk> desk,
      Supplier<Limits> limits) {}

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
        case Stdin.Happening.Nothing() -> answered(reader.timedOut());
        case Stdin.Happening.End(var failure) -> ended(failure);
        case Stdin.Happening.Stop() -> End.TOLD_TO_STOP;
      };
    } catch (IOException e) {
      LOG.error("standard output cannot be written to", e);
      return End.BROKEN;
    }
  }

  /** A frame is late by its clock, however much there is to read meanwhile. */
  private @Nullable End take(ByteBuffer bytes) throws IOException, InterruptedException {
    End end = null;
    while (end == null && bytes.hasRemaining()) {
      end = stdin.isStopped() ? End.TOLD_TO_STOP : answered(reader.next(bytes));
      if (end == null && reader.patienceNanos().orElse(1) <= 0) {
        end = answered(reader.timedOut());
      }
    }
    return end;
  }

  private End ended(@Nullable IOException failure) throws IOException, InterruptedException {
    End end = answered(reader.ended());
    if (failure != null) {
      LOG.error("standard input cannot be read from", failure);
      return End.BROKEN;
    }
    return end == null ? End.CLOSED : end;
  }

  private @Nullable End answered(@Nullable Arrival arrival)
      throws IOException, InterruptedException {
    messages += arrival == null ? 0 : 1;
    return switch (arrival) {
      case null -> null;
      case Arrival.Whole(var body) -> answered(read(body), body);
      case Arrival.Refused(var fault, var body, long sizeBytes) -> {
        Reply reply = served(new Message.Unreadable(fault, id(body)), sizeBytes);
        yield fault instanceof ReadTimeout ? endOf(reply) : written(reply);
      }
    };
  }

  private @Nullable End answered(Message message, byte[] body)
      throws IOException, InterruptedException {
    if (message instanceof Message.Request request
        && side.desk.isPresent()
        && Questions.include(request.method())) {
      return answered(request, body, side.desk.get());
    }
    Reply reply = served(message, body.length);
    if (reply != null
        && reply.httpStatus() == ACCEPTED
        && message instanceof Message.Notification notification) {
      side.own.heed(notification);
    }
    return written(reply);
  }

  /** Operators' questions may take their time, and are not asked of the border. */
  private @Nullable End answered(Message.Request request, byte[] body, Desk desk)
      throws IOException, InterruptedException {
    byte[] answer =
        stdin.patiently(
            CompletableFuture.supplyAsync(() -> desk.answer(body), Thread::startVirtualThread)
                .exceptionally(Dialogue::unanswered)
                .thenApply(it -> it.orElseGet(() -> notNow(request))));
    if (answer != null) {
      writer.write(answer);
    }
    return answer == null ? End.GIVEN_UP : null;
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

  private static byte[] notNow(Message.Request request) {
    return Answer.error(
        request.id(), NOT_NOW, "this cannot be answered now: ask again later", null);
  }
}
