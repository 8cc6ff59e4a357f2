package gatebook.events.journal;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalLimits;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TailBufferTest {
  private static final int PAYLOAD_BYTES = 1_000;

  /** The bytes counted for an entry besides its payload. */
  private static final int OTHER_BYTES = 200;

  @Test
  void theBufferHoldsAsManyEventsAsTheLimit() {
    TailBuffer tailBuffer = new TailBuffer(limits(4, Long.MAX_VALUE), 0);

    tailBuffer.publish(entries(5, null));

    assertThat(buffered(tailBuffer, 5)).containsExactly(2L, 3L, 4L, 5L);
  }

  @Test
  void theBufferHoldsAsManyBytesAsTheLimit() {
    TailBuffer exact = new TailBuffer(limits(8, 3 * (PAYLOAD_BYTES + OTHER_BYTES)), 0);
    TailBuffer less = new TailBuffer(limits(8, 3 * (PAYLOAD_BYTES + OTHER_BYTES) - 1), 0);

    exact.publish(entries(5, null));
    less.publish(entries(5, null));

    assertThat(buffered(exact, 5)).containsExactly(3L, 4L, 5L);
    assertThat(buffered(less, 5)).containsExactly(4L, 5L);
  }

  @Test
  void theContentOfAnEventCountsToo() {
    TailBuffer exact = new TailBuffer(limits(8, 3 * (2 * PAYLOAD_BYTES + OTHER_BYTES)), 0);
    TailBuffer less = new TailBuffer(limits(8, 3 * (2 * PAYLOAD_BYTES + OTHER_BYTES) - 1), 0);

    exact.publish(entries(5, "content"));
    less.publish(entries(5, "content"));

    assertThat(buffered(exact, 5)).containsExactly(3L, 4L, 5L);
    assertThat(buffered(less, 5)).containsExactly(4L, 5L);
  }

  @Test
  void theNewestEventIsBufferedWhateverItsSize() {
    TailBuffer tailBuffer = new TailBuffer(limits(8, 1), 0);

    tailBuffer.publish(entries(2, null));

    assertThat(buffered(tailBuffer, 2)).containsExactly(2L);
  }

  private static List<Long> buffered(TailBuffer tailBuffer, long head) {
    assertThat(tailBuffer.head()).isEqualTo(head);
    return LongStream.rangeClosed(1, head)
        .filter(position -> tailBuffer.get(position) != null)
        .boxed()
        .toList();
  }

  private static List<Entry> entries(int count, @Nullable Object content) {
    byte[] payload = new byte[PAYLOAD_BYTES];
    Arrays.fill(payload, (byte) 'x');
    DraftEvent draftEvent =
        DraftEvent.of(
            "id", "test.Happened", "1", Instant.EPOCH, Set.of(), payload, new byte[0], content);
    return LongStream.rangeClosed(1, count).mapToObj(at -> draftEvent.toEntry(at, "node")).toList();
  }

  private static JournalLimits limits(int tailEventsMax, long tailBytesMax) {
    return Journals.with(
        JournalLimits.DEFAULT,
        Map.of("tailEventsMax", tailEventsMax, "tailBytesMax", tailBytesMax));
  }
}
