package gatebook.api.operator.whatif;

import gatebook.events.journal.tree.Sha256;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.PriorityQueue;
import java.util.UUID;

/**
 * A fair sample of calls: those whose ids have the lowest SHA-256. The same calls give the same
 * sample.
 */
final class CallSample {
  private final int size;
  private final PriorityQueue<Long> lowest = new PriorityQueue<>(Collections.reverseOrder());

  CallSample(int size) {
    this.size = size;
  }

  /** Adds a call to those of which the sample is taken. */
  void add(UUID callId) {
    lowest.add(hash(callId));
    if (lowest.size() > size) {
      lowest.remove();
    }
  }

  /** Whether a call that was added is in the sample. */
  boolean has(UUID callId) {
    Long highest = lowest.peek();
    return highest != null && hash(callId) <= highest;
  }

  private static long hash(UUID callId) {
    byte[] id =
        ByteBuffer.allocate(16)
            .putLong(callId.getMostSignificantBits())
            .putLong(callId.getLeastSignificantBits())
            .array();
    return ByteBuffer.wrap(Sha256.of(id)).getLong() ^ Long.MIN_VALUE; // compared as unsigned
  }
}
