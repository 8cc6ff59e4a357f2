package gatebook.events.keys;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The owner of content: a principal on one day, or the node itself, which owns what belongs to no
 * principal.
 *
 * @param principal the name; absent for the node
 * @param day in UTC; for a call the day on which it was received, also in its later events
 */
public record ContentOwner(@Nullable String principal, LocalDate day) {

  private static final int TIME_ORDERED = 7;

  /** The owner of the content of a call. Its id has the time at which it was received. */
  public static ContentOwner ofCall(@Nullable String principal, UUID callId) {
    return callId.version() == TIME_ORDERED
        ? at(principal, Instant.ofEpochMilli(callId.getMostSignificantBits() >>> Short.SIZE))
        : at(principal, Instant.now());
  }

  /** The owner of content that was written at this time. */
  public static ContentOwner at(@Nullable String principal, Instant time) {
    return new ContentOwner(principal, LocalDate.ofInstant(time, ZoneOffset.UTC));
  }
}
