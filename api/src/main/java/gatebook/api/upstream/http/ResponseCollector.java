package gatebook.api.upstream.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.memory.InFlightMemory;
import gatebook.api.memory.MemoryReservation;
import gatebook.api.upstream.http.ExchangeResult.Answered;
import gatebook.api.upstream.http.ExchangeResult.Broken;
import gatebook.api.upstream.http.ExchangeResult.Defect;
import gatebook.api.upstream.http.SseListener.Event;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import java.io.ByteArrayOutputStream;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Collects the response of one exchange within a limit. Of a stream it keeps only the event that is
 * incomplete.
 */
final class ResponseCollector {

  private static final int OK = 200;
  private static final byte[] NOTHING = {};

  private final HttpExchange httpExchange;
  private final long bytesMax;
  private final MemoryReservation memory = InFlightMemory.OF_PROCESS.open();
  private ByteArrayOutputStream body = new ByteArrayOutputStream();
  private @Nullable HttpResponse head;
  private @Nullable SseParser events;
  private @Nullable JsonLineSplitter lines;

  /** Whether the body is a sequence of lines, of which at least one was delivered. */
  private boolean isLineStream;

  /** The events that the listener has not settled yet. */
  private final AtomicLong unsettledBytes = new AtomicLong();

  /** Completes when the listener has room for more. */
  private CompletableFuture<?> room = SseListener.GO_ON;

  ResponseCollector(HttpExchange httpExchange, long bytesMax) {
    this.httpExchange = httpExchange;
    this.bytesMax = bytesMax;
    CompletableFuture<ExchangeResult> _ =
        httpExchange.result().whenComplete((_, _) -> memory.release());
  }

  HttpExchange exchange() {
    return httpExchange;
  }

  boolean hasHead() {
    return head != null;
  }

  boolean isStream() {
    return events != null;
  }

  /** Completes when the listener has taken everything that it got. */
  CompletableFuture<?> room() {
    return room;
  }

  void start(HttpResponse response) {
    head = response;
    httpExchange.start(response.headers());
    if (response.status().code() == OK && isCompressed(response)) {
      fail(Defect.COMPRESSED);
    } else if (response.status().code() == OK && isStream(response)) {
      events = new SseParser(event -> deliver(response, event));
      httpExchange.markStreaming();
    } else if (HttpUtil.getContentLength(response, 0L) > bytesMax) {
      failTooLarge();
    } else if (!memory.resize(HttpUtil.getContentLength(response, 0L))) {
      fail(Defect.NO_MEMORY);
    } else if (response.status().code() == OK) {
      lines = new JsonLineSplitter();
    }
  }

  /** Takes part of the body; the returned future completes when more may be read. */
  CompletableFuture<?> take(ByteBuf content) {
    byte[] piece = ByteBufUtil.getBytes(content);
    if (events != null) {
      feed(events, piece);
    } else if (lines != null && head != null) {
      collect(lines, head, piece);
    } else {
      collect(piece, 0, piece.length);
    }
    return room;
  }

  private void collect(byte[] piece, int from, int to) {
    long size = body.size() + (long) (to - from);
    if (httpExchange.isOver()) {
      body = new ByteArrayOutputStream(); // nobody needs the rest
    } else if (size > bytesMax) {
      failTooLarge();
    } else if (!memory.growTo(size)) {
      fail(Defect.NO_MEMORY);
    } else {
      body.write(piece, from, to - from);
    }
  }

  /** Collects a single value, or delivers each of several values that have lines of their own. */
  private void collect(JsonLineSplitter splitter, HttpResponse response, byte[] piece) {
    int from = 0;
    for (int at = 0; at < piece.length; at++) {
      if (splitter.feed(piece[at])) {
        collect(piece, from, at);
        from = at;
        takeLine(response);
      } else if (splitter.hasEndedLine()) {
        collect(piece, from, at);
        from = at;
        if (isLineStream || body.toString(UTF_8).contains("\"method\"")) {
          splitter.restart();
          takeLine(response);
        }
      }
    }
    collect(piece, from, piece.length);
  }

  private void takeLine(HttpResponse response) {
    if (!isLineStream) {
      isLineStream = true;
      httpExchange.markStreaming();
    }
    byte[] line = body.toByteArray();
    body.reset();
    if (!new String(line, UTF_8).isBlank()) {
      deliver(response, new Event(null, null, line));
    }
  }

  private void feed(SseParser stream, byte[] piece) {
    stream.feed(piece);
    if (stream.keptBytes() > bytesMax) {
      failTooLarge();
    } else if (!memory.resize(stream.keptBytes() + unsettledBytes.get())) {
      fail(Defect.NO_MEMORY);
    }
  }

  void complete() {
    if (isLineStream && head != null) {
      takeLine(head);
    }
    httpExchange.end(
        head == null || events != null || isLineStream
            ? new Broken(Defect.STREAM_WITHOUT_ANSWER)
            : answered(head, body.toByteArray()));
  }

  /** Ends the exchange because the connection was closed. */
  void failClosed(boolean anyByteReceived) {
    httpExchange.end(new Broken(closedDefect(anyByteReceived)));
  }

  void fail(Defect defect) {
    httpExchange.end(new Broken(defect));
  }

  private Defect closedDefect(boolean anyByteReceived) {
    if (hasHead()) {
      return Defect.CLOSED_IN_BODY;
    }
    return anyByteReceived ? Defect.CLOSED_IN_HEADERS : Defect.CLOSED_BEFORE_ANSWER;
  }

  private void deliver(HttpResponse response, Event event) {
    if (httpExchange.isOver()) {
      return;
    }
    if (event.data().length > 0) {
      httpExchange.resetSilence();
    }
    unsettledBytes.addAndGet(event.data().length);
    CompletableFuture<Boolean> isAnswer = httpExchange.take(event);
    CompletableFuture<?> settled =
        isAnswer.handle((answer, failure) -> {
          unsettledBytes.addAndGet(-event.data().length);
          if (failure != null) {
            httpExchange.fail(failure);
          } else if (answer) {
            httpExchange.end(answered(response, event.data()));
          }
          return null;
        });
    room = room.isDone() ? settled : CompletableFuture.allOf(room, settled);
  }

  private void failTooLarge() {
    fail(Defect.BODY_TOO_LARGE);
  }

  private static Answered answered(HttpResponse head, byte[] body) {
    return new Answered(head.status().code(), head.headers(), body.length == 0 ? NOTHING : body);
  }

  private static boolean isCompressed(HttpResponse response) {
    String coding = response.headers().get(HttpHeaderNames.CONTENT_ENCODING, "").strip();
    return !coding.isEmpty() && !coding.equalsIgnoreCase("identity");
  }

  private static boolean isStream(HttpResponse response) {
    String type = response.headers().get(HttpHeaderNames.CONTENT_TYPE, "");
    return type.split(";", -1)[0].strip().toLowerCase(Locale.ROOT).equals("text/event-stream");
  }
}
