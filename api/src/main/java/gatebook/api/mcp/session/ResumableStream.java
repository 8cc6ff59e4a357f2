package gatebook.api.mcp.session;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.http.SsePublisher;
import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One stream of events to a client, of which each has a place that the client can come back to
 * after its connection was lost. Of what was sent, the last is kept, within bounds.
 */
final class ResumableStream {

  private static final int KEPT_EVENTS_MAX = 256;
  private static final long KEPT_BYTES_MAX = 256 << 10;

  private final String name;
  private final Deque<Sent> kept = new ArrayDeque<>();
  private long keptBytes;
  private long next;
  private boolean ended;
  private @Nullable SsePublisher reader;
  private long unreadNanos = System.nanoTime();

  @SuppressWarnings("ArrayRecordComponent") // written once and never compared
  private record Sent(long place, byte[] event) {}

  /** {@code name} is no other strand's of the session. */
  ResumableStream(String name) {
    this.name = name;
  }

  /** The event's bytes with its place, kept, and sent if there is a reader. */
  CompletableFuture<Boolean> send(byte[] data) {
    SsePublisher to;
    byte[] event;
    synchronized (this) {
      event = event(name + "-" + next, data);
      keep(new Sent(next++, event));
      to = reader;
    }
    return to == null ? CompletableFuture.completedFuture(true) : to.send(event);
  }

  /** Says where the strand is, and nothing else. */
  CompletableFuture<Boolean> prime() {
    return send(new byte[0]);
  }

  /** Has the reader come back later: nothing is to be said for now. */
  void pause(long retryMillis) {
    SsePublisher to;
    synchronized (this) {
      to = reader;
      reader = null;
      unreadNanos = System.nanoTime();
    }
    if (to != null) {
      CompletableFuture<Boolean> _ =
          to.send("retry: %d\n\n".formatted(retryMillis).getBytes(UTF_8));
      to.end();
    }
  }

  /** Nothing is sent any more; who comes back still gets what he missed. */
  void end() {
    SsePublisher to;
    synchronized (this) {
      ended = true;
      to = reader;
      reader = null;
    }
    if (to != null) {
      to.end();
    }
  }

  /**
   * Goes on with another reader, after the place he knows; the one before is sent away. False, and
   * nothing is done, when nothing more comes after that place.
   */
  boolean read(SsePublisher newReader, long after) {
    SsePublisher before;
    boolean over;
    synchronized (this) {
      if (ended && after >= next - 1) {
        return false;
      }
      before = reader;
      over = ended;
      for (Sent sent : kept) {
        if (sent.place > after) {
          CompletableFuture<Boolean> _ = newReader.send(sent.event);
        }
      }
      reader = ended ? null : newReader;
    }
    if (before != null) {
      before.end();
    }
    if (over) {
      newReader.end();
    }
    return true;
  }

  /** The place of an event of this strand; -1 when it is none. */
  long place(String id) {
    String number = id.startsWith(name + "-") ? id.substring(name.length() + 1) : "";
    return number.matches("[0-9]{1,18}") ? Long.parseLong(number) : -1;
  }

  /** The reader is gone, unless another took his place. */
  synchronized void left(SsePublisher gone) {
    if (reader == gone) {
      reader = null;
      unreadNanos = System.nanoTime();
    }
  }

  synchronized boolean isRead() {
    return reader != null;
  }

  String name() {
    return name;
  }

  /** The place of what was sent last. */
  synchronized long last() {
    return next - 1;
  }

  /** For how long nobody has read it. */
  synchronized long unreadMillis() {
    return reader == null ? TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - unreadNanos) : -1;
  }

  /** Whether the client knows a place to come back to. */
  synchronized boolean hasPlace() {
    return next > 0;
  }

  private void keep(Sent sent) {
    kept.add(sent);
    keptBytes += sent.event.length;
    while (kept.size() > KEPT_EVENTS_MAX || (keptBytes > KEPT_BYTES_MAX && kept.size() > 1)) {
      keptBytes -= kept.remove().event.length;
    }
  }

  /** A line end within the data begins another line of it. */
  static byte[] event(@Nullable String id, byte[] data) {
    ByteArrayOutputStream event = new ByteArrayOutputStream(data.length + 32);
    if (id != null) {
      event.writeBytes(("id: " + id + "\n").getBytes(UTF_8));
    }
    event.writeBytes("data: ".getBytes(UTF_8));
    for (byte one : data) {
      if (one == '\n') {
        event.writeBytes("\ndata: ".getBytes(UTF_8));
      } else if (one != '\r') {
        event.write(one);
      }
    }
    event.writeBytes("\n\n".getBytes(UTF_8));
    return event.toByteArray();
  }
}
