package gatebook.api.upstream.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.upstream.http.SseListener.Event;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Parser of server-sent events (SSE) in a stream that arrives in pieces of any size. The caller
 * must limit what is kept of an incomplete event; see {@link #keptBytes}.
 */
final class SseParser {

  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};
  private static final String MILLIS = "[0-9]{1,9}";

  private final Consumer<Event> events;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private final ByteArrayOutputStream data = new ByteArrayOutputStream();
  private boolean hasData;
  private boolean hasPosition;
  private @Nullable String id;
  private @Nullable Long retryMillis;
  private boolean afterReturn;
  private boolean started;

  /**
   * Has read nothing yet.
   *
   * @param events receives each event that has data, an id or a retry time
   */
  SseParser(Consumer<Event> events) {
    this.events = events;
  }

  /** The size of the incomplete event. */
  long keptBytes() {
    return (long) line.size() + data.size();
  }

  void feed(byte[] piece) {
    int from = 0;
    for (int at = 0; at < piece.length; at++) {
      if (piece[at] == '\n' || piece[at] == '\r') {
        keep(piece, from, at);
        takeLineEnd(piece[at] == '\r');
        from = at + 1;
      }
    }
    keep(piece, from, piece.length);
  }

  private void keep(byte[] piece, int from, int to) {
    if (from < to) {
      line.write(piece, from, to - from);
      afterReturn = false;
    }
  }

  private void takeLineEnd(boolean isReturn) {
    boolean isSecondHalf = afterReturn && !isReturn;
    afterReturn = isReturn;
    if (!isSecondHalf) {
      endLine();
    }
  }

  private void endLine() {
    byte[] bytes = line.toByteArray();
    line.reset();
    int from = !started && startsWith(bytes, BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
    started = true;
    if (bytes.length == from) {
      endEvent();
    } else {
      field(bytes, from);
    }
  }

  private void field(byte[] bytes, int from) {
    int colon = from;
    while (colon < bytes.length && bytes[colon] != ':') {
      colon++;
    }
    int value = colon + 1 < bytes.length && bytes[colon + 1] == ' ' ? colon + 2 : colon + 1;
    take(new String(bytes, from, colon - from, UTF_8), bytes, Math.min(value, bytes.length));
  }

  private void take(String name, byte[] bytes, int value) {
    switch (name) {
      case "data" -> {
        if (hasData) {
          data.write('\n');
        }
        hasData = true;
        data.write(bytes, value, bytes.length - value);
      }
      case "id" -> {
        id = new String(bytes, value, bytes.length - value, UTF_8);
        hasPosition = true;
      }
      case "retry" -> retry(new String(bytes, value, bytes.length - value, UTF_8));
      default -> {
        // comments, event names and unknown fields
      }
    }
  }

  private void retry(String text) {
    if (text.matches(MILLIS)) {
      retryMillis = Long.valueOf(text);
      hasPosition = true;
    }
  }

  private void endEvent() {
    if (hasData || hasPosition) {
      Event event = new Event(id, retryMillis, data.toByteArray());
      data.reset();
      hasData = false;
      hasPosition = false;
      events.accept(event);
    }
  }

  private static boolean startsWith(byte[] bytes, byte[] beginning) {
    return bytes.length >= beginning.length
        && Arrays.equals(bytes, 0, beginning.length, beginning, 0, beginning.length);
  }
}
