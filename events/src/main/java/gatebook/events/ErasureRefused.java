package gatebook.events;

import gatebook.events.call.ErasureCause;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An erasure of content, or a drop of events, was refused, because legal holds forbid it for some
 * of its days.
 *
 * @param operator absent when the retention of content or events asked for it
 * @param principal whose content would have gone; absent for that of all
 * @param since the first day, in UTC; absent for all days up to {@code until}
 * @param until the last day
 * @param holds the names of the legal holds
 */
@Named(name = "ErasureRefused", version = "1")
public record ErasureRefused(
    UUID erasureId,
    ErasureCause cause,
    @Nullable String operator,
    @Nullable String principal,
    @Nullable LocalDate since,
    LocalDate until,
    List<String> holds)
    implements ErasureEvent {
  public ErasureRefused {
    holds = List.copyOf(holds);
  }
}
