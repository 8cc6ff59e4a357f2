package gatebook.api.upstream.http;

import gatebook.api.upstream.http.Ending.Answered;
import gatebook.api.upstream.http.Ending.Broken;
import gatebook.api.upstream.http.Ending.Defect;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import java.io.ByteArrayOutputStream;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The answer to one exchange while it comes in. It keeps no more of it than it may. */
final class Reception {

  private static final int OK = 200;
  private static final byte[] NOTHING = {};

  private final Exchange exchange;
  private final long bytesMax;
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();
  private @Nullable HttpResponse head;
  private @Nullable EventStream events;
  private long bytes;

  Reception(Exchange exchange, long bytesMax) {
    this.exchange = exchange;
    this.bytesMax = bytesMax;
  }

  Exchange exchange() {
    return exchange;
  }

  boolean hasBegun() {
    return head != null;
  }

  void begin(HttpResponse response) {
    head = response;
    if (HttpUtil.getContentLength(response, 0L) > bytesMax) {
      tooLarge();
    } else if (response.status().code() == OK && isStream(response)) {
      events = new EventStream(event -> event(response, event));
    }
  }

  void take(ByteBuf content) {
    bytes += content.readableBytes();
    if (bytes > bytesMax) {
      tooLarge();
      return;
    }
    byte[] piece = ByteBufUtil.getBytes(content);
    if (events == null) {
      body.writeBytes(piece);
    } else {
      events.feed(piece);
    }
  }

  void complete() {
    exchange.end(
        head == null || events != null
            ? new Broken(Defect.STREAM_WITHOUT_ANSWER)
            : answered(head, body.toByteArray()));
  }

  /** Nothing more will come. */
  void cut(boolean anyByteCame) {
    exchange.end(new Broken(whereItWasCut(anyByteCame)));
  }

  void fail(Defect defect) {
    exchange.end(new Broken(defect));
  }

  private Defect whereItWasCut(boolean anyByteCame) {
    if (hasBegun()) {
      return Defect.CLOSED_IN_BODY;
    }
    return anyByteCame ? Defect.CLOSED_IN_HEADERS : Defect.CLOSED_BEFORE_ANSWER;
  }

  private void event(HttpResponse response, byte[] event) {
    if (!exchange.isOver() && exchange.isWanted(event)) {
      exchange.end(answered(response, event));
    }
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
