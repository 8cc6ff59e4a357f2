package gatebook.events.vocabulary;

import org.jspecify.annotations.Nullable;

/**
 * What the journal holds is no event of this vocabulary; the message names the event and the place.
 */
public final class UnreadableEvent extends RuntimeException {
  UnreadableEvent(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
