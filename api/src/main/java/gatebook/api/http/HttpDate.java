package gatebook.api.http;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * The header {@code Date}, whose text is made once a second.
 *
 * @param second since the epoch
 */
record HttpDate(long second, String text) {
  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  private static volatile HttpDate latest = of(0);

  static String now() {
    long second = Instant.now().getEpochSecond();
    HttpDate date = latest;
    if (date.second != second) {
      date = of(second);
      latest = date;
    }
    return date.text;
  }

  static HttpDate of(long second) {
    return new HttpDate(second, FORMAT.format(Instant.ofEpochSecond(second)));
  }
}
