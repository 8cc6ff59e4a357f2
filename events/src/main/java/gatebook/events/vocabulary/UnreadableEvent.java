package gatebook.events.vocabulary;

import org.jspecify.annotations.Nullable;

/**
 * An event in the journal that this vocabulary cannot read; the message names the event and the
 * place.
 */
public final class UnreadableEvent extends RuntimeException {
  UnreadableEvent(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
