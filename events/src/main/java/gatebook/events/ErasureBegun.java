package gatebook.events;

import gatebook.events.call.Erasable;
import gatebook.events.call.ErasureCause;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An erasure of content began: from now on its keys are destroyed wherever they are, also after the
 * process was killed, and after a restore.
 *
 * @param operator absent when the retention of content asked for it
 * @param principal whose content goes; absent for that of all, the node's included
 * @param since the first day, in UTC; absent for all days up to {@code until}
 * @param until the last day
 * @param keys the ids of the keys; empty when all keys of these days go
 * @param reason absent when the retention of content asked for it
 */
@Named(name = "ErasureBegun", version = "1")
public record ErasureBegun(
    UUID erasureId,
    ErasureCause cause,
    @Nullable String operator,
    @Nullable String principal,
    @Nullable LocalDate since,
    LocalDate until,
    List<String> keys,
    @Erasable @Nullable String reason)
    implements ErasureEvent {
  public ErasureBegun {
    keys = List.copyOf(keys);
  }
}
