package gatebook.events.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class DraftEventTest {
  private static final long LAST_SECOND = Instant.parse("9999-12-31T23:59:59Z").getEpochSecond();
  private static final DateTimeFormatter NINE_DIGITS =
      new DateTimeFormatterBuilder().appendInstant(9).toFormatter(Locale.ROOT);

  @Test
  void timesHaveNineDigits() {
    Random random = new Random(7);
    Stream<Instant> instants =
        LongStream.concat(
                LongStream.of(-1, 0, LAST_SECOND, LAST_SECOND + 1, Long.MIN_VALUE >> 30),
                random.longs(200, 0, LAST_SECOND))
            .boxed()
            .flatMap(second ->
                Stream.of(0, 1, 120_000_000, 999_999_999)
                    .map(nanos -> Instant.ofEpochSecond(second, nanos)));

    assertThat(instants)
        .allSatisfy(instant ->
            assertThat(DraftEvent.formatTime(instant)).isEqualTo(NINE_DIGITS.format(instant)));
  }
}
