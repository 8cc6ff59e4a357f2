package gatebook.api.stdio;

import gatebook.api.rpc.UnreadableIds;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The body of a frame that is dropped while it is read; only the id of its request is kept. */
final class DroppedBody {
  private final long length;
  private final UnreadableIds ids = new UnreadableIds();
  private long received;

  DroppedBody(long length) {
    this.length = length;
  }

  /** Takes its bytes; returns whether it is complete. */
  boolean take(ByteBuffer bytes) {
    byte[] part = new byte[(int) Math.min(bytes.remaining(), length - received)];
    bytes.get(part);
    ids.feed(part, 0, part.length);
    received += part.length;
    return received == length;
  }

  long receivedBytes() {
    return received;
  }

  /** The id of the request; null when none could be read. */
  @Nullable String requestId() {
    return ids.requestId();
  }
}
