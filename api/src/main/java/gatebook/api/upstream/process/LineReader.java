package gatebook.api.upstream.process;

import gatebook.api.memory.InFlightMemory;
import gatebook.api.memory.MemoryReservation;
import gatebook.api.rpc.UnreadableIds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the lines of a stream. A line beyond the limit is skipped, and only its ids are kept. */
public final class LineReader {

  private static final int BUFFER_BYTES = 16 << 10;

  private final InputStream stream;
  private final long bytesMax;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private ByteArrayOutputStream line = new ByteArrayOutputStream();
  private int next;
  private int end;
  private long bytes;
  private @Nullable UnreadableIds overlong;
  private final InFlightMemory inFlightMemory;
  private MemoryReservation memory;
  private boolean isDropped;

  public LineReader(InputStream stream, long bytesMax) {
    this(stream, bytesMax, InFlightMemory.OF_PROCESS);
  }

  LineReader(InputStream stream, long bytesMax, InFlightMemory inFlightMemory) {
    this.stream = stream;
    this.bytesMax = bytesMax;
    this.inFlightMemory = inFlightMemory;
    this.memory = inFlightMemory.open();
  }

  /**
   * A JSON message as one line, with its line end. Line breaks occur only between tokens, so they
   * are replaced by blanks.
   */
  public static byte[] asLine(byte[] message) {
    byte[] line = new byte[message.length + 1];
    for (int i = 0; i < message.length; i++) {
      line[i] = message[i] == '\n' || message[i] == '\r' ? (byte) ' ' : message[i];
    }
    line[message.length] = '\n';
    return line;
  }

  /** Whether a line contains only white space. */
  public static boolean isBlank(byte[] line) {
    for (byte each : line) {
      if (each != ' ' && each != '\t' && each != '\r') {
        return false;
      }
    }
    return true;
  }

  /** One line, without its end. */
  public sealed interface Line {

    /**
     * A complete line.
     *
     * @param memory reserved for it until the next line is read; a user that works on it longer
     *     holds it
     */
    @SuppressWarnings("ArrayRecordComponent") // read once and never compared
    record Whole(byte[] bytes, MemoryReservation memory) implements Line {}

    /**
     * A line that was not kept.
     *
     * @param ids of the answers in it, as far as they are integers
     * @param requestId the token of the id of the one request in it; absent when it has none
     * @param isDropped whether the line is within the limit, and there was no memory for it
     */
    record Overlong(long bytes, Set<String> ids, @Nullable String requestId, boolean isDropped)
        implements Line {
      public Overlong {
        ids = Set.copyOf(ids);
      }
    }
  }

  /** The next line, the last one also without a line end; absent at the end of the stream. */
  public @Nullable Line next() throws IOException {
    memory.release();
    memory = inFlightMemory.open();
    while (true) {
      int newline = findNewline();
      append(newline);
      if (newline < end) {
        next = newline + 1;
        return endLine();
      }
      end = stream.read(buffer, 0, BUFFER_BYTES);
      next = 0;
      if (end < 0) {
        end = 0;
        return bytes == 0 ? end() : endLine();
      }
    }
  }

  private @Nullable Line end() {
    var _ = memory.resize(0);
    return null;
  }

  /** Whether a part of the next line can be read without waiting. */
  boolean isNextReady() throws IOException {
    return next < end || stream.available() > 0;
  }

  private int findNewline() {
    int at = next;
    while (at < end && buffer[at] != '\n') {
      at++;
    }
    return at;
  }

  private void append(int to) {
    bytes += to - next;
    isDropped |= overlong == null && bytes <= bytesMax && !memory.growTo(bytes);
    if (overlong == null && (bytes > bytesMax || isDropped)) {
      var _ = memory.resize(0);
      overlong = new UnreadableIds();
      overlong.feed(line.toByteArray(), 0, line.size());
      line.reset();
    }
    if (overlong == null) {
      line.write(buffer, next, to - next);
    } else {
      overlong.feed(buffer, next, to);
    }
  }

  private Line endLine() {
    Line cut =
        overlong == null
            ? new Line.Whole(line.toByteArray(), memory)
            : new Line.Overlong(bytes, overlong.ids(), overlong.requestId(), isDropped);
    if (line.size() > BUFFER_BYTES) {
      line = new ByteArrayOutputStream(); // frees the memory of a large line
    }
    line.reset();
    bytes = 0;
    overlong = null;
    isDropped = false;
    return cut;
  }
}
