package gatebook.api.upstream.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads headers of responses. */
public final class ResponseHeaders {

  private static final String JSON = "application/json";
  private static final String SECONDS = "\\d{1,9}";

  private ResponseHeaders() {}

  /** Whether the body is JSON. Accepts a missing media type, and any charset. */
  public static boolean isJson(HttpHeaders headers) {
    String type = headers.get(HttpHeaderNames.CONTENT_TYPE, JSON).split(";", -1)[0].strip();
    return type.toLowerCase(Locale.ROOT).equals(JSON);
  }

  /** When the server asks to be called again; absent when it does not say so. */
  public static @Nullable Long retryAfterSeconds(HttpHeaders headers, InstantSource clock) {
    String value = headers.get(HttpHeaderNames.RETRY_AFTER, "").strip();
    return value.matches(SECONDS) ? Long.valueOf(value) : secondsUntil(value, clock);
  }

  private static @Nullable Long secondsUntil(String date, InstantSource clock) {
    try {
      ZonedDateTime then = ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME);
      return Math.max(0, Duration.between(clock.instant(), then).toSeconds());
    } catch (DateTimeParseException _) {
      return null;
    }
  }
}
