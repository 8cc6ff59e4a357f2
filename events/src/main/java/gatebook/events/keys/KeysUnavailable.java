package gatebook.events.keys;

import org.jspecify.annotations.Nullable;

/** The store of content keys could not be read or written; the message says why, to an operator. */
public final class KeysUnavailable extends RuntimeException {

  public KeysUnavailable(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
