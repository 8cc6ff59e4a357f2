package gatebook.events.journal;

import java.io.Serial;

/**
 * The one sentence with which a journal refuses to open; {@link Journal#open} turns it into a
 * value.
 */
final class RefusedToOpen extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  RefusedToOpen(String sentence) {
    super(sentence, null, false, false);
  }

  String sentence() {
    return String.valueOf(getMessage());
  }
}
