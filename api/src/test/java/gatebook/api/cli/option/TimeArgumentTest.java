package gatebook.api.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

final class TimeArgumentTest {
  private static final Instant NOW = Instant.parse("2026-03-02T12:00:00.5Z");

  @ParameterizedTest
  @CsvSource({
    "2026-01-02T03:04:05Z, 2026-01-02T03:04:05Z",
    "2026-01-02t03:04:05.000000006z, 2026-01-02T03:04:05.000000006Z",
    "2026-01-02T03:04:05+02:00, 2026-01-02T01:04:05Z",
    "90s, 2026-03-02T11:58:30.5Z",
    "5m, 2026-03-02T11:55:00.5Z",
    "2h, 2026-03-02T10:00:00.5Z",
    "7d, 2026-02-23T12:00:00.5Z",
    "1w, 2026-02-23T12:00:00.5Z",
    "0s, 2026-03-02T12:00:00.5Z",
    "99999w, 0109-08-26T12:00:00.5Z"
  })
  void aTimeIsGivenInFullOrAsHowLongAgo(String text, Instant at) {
    assertThat(TimeArgument.read(text, NOW)).contains(at);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "2",
        "h",
        "-2h",
        "2 h",
        "2H",
        "100000s",
        "2026-01-02",
        "yesterday",
        "1h2m"
      })
  void otherTextsAreNotTimes(String text) {
    assertThat(TimeArgument.read(text, NOW)).isEmpty();
  }

  @Test
  void anInvalidTimeIsReportedWithTheAcceptedForms() {
    assertThatThrownBy(() -> new TimeArgument().convert("yesterday"))
        .isInstanceOf(TypeConversionException.class)
        .hasMessage(
            "'yesterday' is not a time as in 2026-01-02T03:04:05Z, or how long ago as in 2h");
  }
}
