package gatebook.events.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DateTimeException;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class UtcTimeTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-11-21T16:42:00.123456789Z",
        "2026-11-21T16:42:00.123456Z",
        "2026-11-21T16:42:00.5Z",
        "2026-11-21T16:42:00Z",
        "2024-02-29T23:59:59.999999999Z",
        "1970-01-01T00:00:00Z",
        "1969-12-31T23:59:59.000000001Z",
        "0000-01-01T00:00:00Z",
        "2026-11-21T24:00:00Z",
        "2026-11-21T23:59:60Z",
        "2026-11-21t16:42:00.1z",
        "+12026-11-21T16:42:00Z",
        "2026-11-21T17:42:00.123456+01:00"
      })
  void eachTextIsReadAsTheLibraryReadsIt(String text) {
    assertThat(UtcTime.parse(text)).isEqualTo(Instant.parse(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "yesterday",
        "2026-13-21T16:42:00.123456789Z",
        "2023-02-29T00:00:00.000000000Z",
        "2026-11-21T16:60:00Z",
        "2026-11-21T25:00:00Z",
        "2026-11-21T16:42:00.1234567890Z",
        "2026-11-21T16:42:00,5Z",
        "2026-11-21 16:42:00Z",
        "2026-11-21T16:42:00",
        "2026-11-21T16:42Z"
      })
  void whatTheLibraryRefusesIsRefused(String text) {
    assertThatThrownBy(() -> Instant.parse(text)).isInstanceOf(DateTimeException.class);
    assertThatThrownBy(() -> UtcTime.parse(text)).isInstanceOf(DateTimeException.class);
  }
}
