package gatebook.api.upstream.http;

import static java.nio.charset.StandardCharsets.UTF_8;

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
import org.jspecify.annotations.Nullable;

/**
 * The answer to one exchange while it comes in. It keeps no more of it than it may: of a stream,
 * the event that is coming.
 */
final class ResponseCollector {

  private static final int OK = 200;
  private static final byte[] NOTHING = {};

  private final HttpExchange httpExchange;
  private final long bytesMax;
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();
  private @Nullable HttpResponse head;
  private @Nullable SseParser events;
  private @Nullable JsonLineSplitter lines;

  /** Whether a value was taken and more may come. */
  private boolean isOfLines;

  /** Completed when nobody has to take anything before more is read. */
  private CompletableFuture<?> room = SseListener.GO_ON;

  ResponseCollector(HttpExchange httpExchange, long bytesMax) {
    this.httpExchange = httpExchange;
    this.bytesMax = bytesMax;
  }

  HttpExchange exchange() {
    return httpExchange;
  }

  boolean hasBegun() {
    return head != null;
  }

  boolean isStream() {
    return events != null;
  }

  void begin(HttpResponse response) {
    head = response;
    if (response.status().code() == OK && isStream(response)) {
      events = new SseParser(event -> event(response, event));
      httpExchange.streams();
    } else if (HttpUtil.getContentLength(response, 0L) > bytesMax) {
      tooLarge();
    } else if (response.status().code() == OK) {
      lines = new JsonLineSplitter();
    }
  }

  /** What has to be done before more is to be read. */
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
    if (body.size() + (long) (to - from) > bytesMax) {
      tooLarge();
    } else {
      body.write(piece, from, to - from);
    }
  }

  /** One value is the answer; of several, each on its own line, each is taken as it comes. */
  private void collect(JsonLineSplitter separate, HttpResponse response, byte[] piece) {
    int from = 0;
    for (int at = 0; at < piece.length; at++) {
      if (separate.beginsAnother(piece[at])) {
        collect(piece, from, at);
        from = at;
        takeLine(response);
      } else if (separate.hasEndedLine()) {
        collect(piece, from, at);
        from = at;
        if (isOfLines || body.toString(UTF_8).contains("\"method\"")) {
          separate.restart();
          takeLine(response);
        }
      }
    }
    collect(piece, from, piece.length);
  }

  private void takeLine(HttpResponse response) {
    if (!isOfLines) {
      isOfLines = true;
      httpExchange.streams();
    }
    byte[] line = body.toByteArray();
    body.reset();
    if (!new String(line, UTF_8).isBlank()) {
      event(response, new Event(null, null, line));
    }
  }

  private void feed(SseParser stream, byte[] piece) {
    stream.feed(piece);
    if (stream.keptBytes() > bytesMax) {
      tooLarge();
    }
  }

  void complete() {
    if (isOfLines && head != null) {
      takeLine(head);
    }
    httpExchange.end(
        head == null || events != null || isOfLines
            ? new Broken(Defect.STREAM_WITHOUT_ANSWER)
            : answered(head, body.toByteArray()));
  }

  /** Nothing more will come. */
  void cut(boolean anyByteCame) {
    httpExchange.end(new Broken(whereItWasCut(anyByteCame)));
  }

  void fail(Defect defect) {
    httpExchange.end(new Broken(defect));
  }

  private Defect whereItWasCut(boolean anyByteCame) {
    if (hasBegun()) {
      return Defect.CLOSED_IN_BODY;
    }
    return anyByteCame ? Defect.CLOSED_IN_HEADERS : Defect.CLOSED_BEFORE_ANSWER;
  }

  private void event(HttpResponse response, Event event) {
    if (httpExchange.isOver()) {
      return;
    }
    if (event.data().length > 0) {
      httpExchange.alive();
    }
    CompletableFuture<Boolean> taken = httpExchange.take(event);
    CompletableFuture<?> settled =
        taken.handle((answer, failure) -> {
          if (failure != null) {
            httpExchange.failed(failure);
          } else if (answer) {
            httpExchange.end(answered(response, event.data()));
          }
          return null;
        });
    room = room.isDone() ? settled : CompletableFuture.allOf(room, settled);
  }

  private void tooLarge() {
    fail(Defect.BODY_TOO_LARGE);
  }

  private static Answered answered(HttpResponse head, byte[] body) {
    return new Answered(head.status().code(), head.headers(), body.length == 0 ? NOTHING : body);
  }

  private static boolean isStream(HttpResponse response) {
    String type = response.headers().get(HttpHeaderNames.CONTENT_TYPE, "");
    return type.split(";", -1)[0].strip().toLowerCase(Locale.ROOT).equals("text/event-stream");
  }
}
