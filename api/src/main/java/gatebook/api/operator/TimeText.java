package gatebook.api.operator;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;

/** Times as operators write them: RFC 3339, with any offset. */
public final class TimeText {
  private TimeText() {}

  /** Empty when the text is no such time. */
  public static Optional<Instant> of(String text) {
    try {
      return Optional.of(OffsetDateTime.parse(text).toInstant());
    } catch (DateTimeException _) {
      return Optional.empty();
    }
  }
}
