package gatebook.api.rpc;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;

/** Reads the text of a time: RFC 3339, with any offset. */
public final class TimeText {
  private TimeText() {}

  /** Empty when the text is not such a time. */
  public static Optional<Instant> parse(String text) {
    try {
      return Optional.of(OffsetDateTime.parse(text).toInstant());
    } catch (DateTimeException _) {
      return Optional.empty();
    }
  }
}
