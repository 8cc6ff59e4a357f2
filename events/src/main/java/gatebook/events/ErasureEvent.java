package gatebook.events;

import java.util.UUID;

/** An event of an erasure of content; all of them are found by the tag {@code erasure}. */
public sealed interface ErasureEvent extends Event
    permits ErasureBegun, ErasureCompleted, ErasureRefused {
  UUID erasureId();
}
