package gatebook.query.trend;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.query.trend.Trend.Recorded;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TrendTest {
  private static final long HOUR = TimeUnit.HOURS.toNanos(1);

  @ParameterizedTest
  @CsvSource({
    "0, 0, 24, unclear",
    "1, 0, 24, new",
    "1, 8, 24, unclear",
    "1, 24, 24, steady",
    "2, 24, 24, steady",
    "3, 24, 24, steady",
    "4, 24, 24, rising",
    "100, 2400, 24, steady",
    "130, 2400, 24, steady",
    "149, 2400, 24, steady",
    "151, 2400, 24, rising",
    "65, 2400, 24, falling",
    "68, 2400, 24, steady",
    "10, 10, 1, steady",
    "20, 5, 1, rising",
    "20, 5, 0, unclear",
    "20, 0, 0, unclear"
  })
  void rateOfTheLastHourIsComparedWithTheDayBefore(
      long lastHour, long before, long hours, String trend) {
    assertThat(Trend.ofRates(lastHour, before, hours * HOUR).word()).isEqualTo(trend);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, unclear",
    "0, 1, new",
    "0, 100, new",
    "1, 0, unclear",
    "1, 1, unclear",
    "9, 0, unclear",
    "1, 8, unclear",
    "10, 0, falling",
    "9, 1, falling",
    "8, 2, steady",
    "1, 9, rising",
    "2, 8, steady",
    "5, 5, steady",
    "600, 400, steady",
    "601, 400, falling",
    "400, 600, steady",
    "400, 601, rising",
    "21, 41, rising",
    "22, 37, steady",
  })
  void aTrendNeedsEnoughErrors(long earlier, long later, String trend) {
    assertThat(Trend.of(new long[] {earlier, later}, new Recorded(0, 2, HOUR)).word())
        .isEqualTo(trend);
  }

  @ParameterizedTest
  @CsvSource({"299, unclear", "300, falling"})
  void lessThanFiveMinutesHaveNoTrend(long seconds, String trend) {
    long part = TimeUnit.SECONDS.toNanos(seconds) / 2;
    assertThat(Trend.of(new long[] {100, 10}, new Recorded(0, 2, part)).word()).isEqualTo(trend);
    assertThat(Trend.of(new long[] {0, 10}, new Recorded(0, 2, part)).word())
        .isEqualTo(trend.equals("unclear") ? "unclear" : "new");
  }

  @ParameterizedTest
  @CsvSource({"0, 8, rising", "4, 8, steady", "5, 8, steady", "6, 8, steady", "7, 8, unclear"})
  void partsThatTheJournalDidNotRecordDoNotCount(int from, int to, String trend) {
    long[] counts = {0, 0, 0, 1, 10, 10, 10, 10};

    assertThat(Trend.of(counts, new Recorded(from, to, HOUR)).word()).isEqualTo(trend);
  }

  @Test
  void futurePartsDoNotCount() {
    long[] counts = {10, 10, 0, 0};

    assertThat(Trend.of(counts, new Recorded(0, 4, HOUR))).isEqualTo(Trend.FALLING);
    assertThat(Trend.of(counts, new Recorded(0, 2, HOUR))).isEqualTo(Trend.STEADY);
    assertThat(Trend.of(counts, new Recorded(3, 2, HOUR))).isEqualTo(Trend.UNCLEAR);
  }
}
