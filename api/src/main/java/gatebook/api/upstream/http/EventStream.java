package gatebook.api.upstream.http;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * The data of server-sent events, cut out of a stream that comes in pieces of any size. Whoever
 * feeds it bounds it.
 */
final class EventStream {

  private static final byte[] DATA = {'d', 'a', 't', 'a'};
  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  private final Consumer<byte[]> events;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private final ByteArrayOutputStream data = new ByteArrayOutputStream();
  private boolean hasData;
  private boolean afterReturn;
  private boolean begun;

  /**
   * Gives away one event after the other.
   *
   * @param events gets the data of each event that has any, its lines joined
   */
  EventStream(Consumer<byte[]> events) {
    this.events = events;
  }

  void feed(byte[] piece) {
    for (byte next : piece) {
      if (next == '\n' && afterReturn) {
        afterReturn = false; // the second half of one line end
      } else if (next == '\n' || next == '\r') {
        afterReturn = next == '\r';
        endLine();
      } else {
        afterReturn = false;
        line.write(next);
      }
    }
  }

  private void endLine() {
    byte[] bytes = line.toByteArray();
    line.reset();
    int from = !begun && startsWith(bytes, BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
    begun = true;
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
    if (isData(bytes, from, colon)) {
      int value = colon + 1 < bytes.length && bytes[colon + 1] == ' ' ? colon + 2 : colon + 1;
      if (hasData) {
        data.write('\n');
      }
      hasData = true;
      data.write(bytes, Math.min(value, bytes.length), Math.max(0, bytes.length - value));
    }
  }

  private void endEvent() {
    if (hasData) {
      byte[] event = data.toByteArray();
      data.reset();
      hasData = false;
      events.accept(event);
    }
  }

  private static boolean isData(byte[] bytes, int from, int to) {
    return Arrays.equals(bytes, from, to, DATA, 0, DATA.length);
  }

  private static boolean startsWith(byte[] bytes, byte[] beginning) {
    return bytes.length >= beginning.length
        && Arrays.equals(bytes, 0, beginning.length, beginning, 0, beginning.length);
  }
}
