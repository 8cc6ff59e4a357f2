package gatebook.api.flow.read;

import gatebook.api.rpc.MemberType;
import gatebook.api.rpc.MemberType.Some;
import gatebook.api.rpc.MemberType.Text;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;

/** Reads the times of tasks: ISO 8601, with an offset or in UTC. */
final class ScheduleTimes {

  static final MemberType TYPE =
      Some.texts(Text.ANY, "Invalid time format", "ISO 8601", text -> instant(text).isPresent());

  private ScheduleTimes() {}

  /** Empty when the text is not such a time. */
  static Optional<Instant> instant(String text) {
    try {
      return Optional.of(OffsetDateTime.parse(text).toInstant());
    } catch (DateTimeException _) {
      return local(text);
    }
  }

  private static Optional<Instant> local(String text) {
    try {
      return Optional.of(LocalDateTime.parse(text).toInstant(ZoneOffset.UTC));
    } catch (DateTimeException _) {
      return Optional.empty();
    }
  }
}
