package gatebook.events.journal;

import java.io.Serial;

/**
 * The one sentence with which a journal refuses to open; {@link Journal#open} turns it into a
 * value.
 */
final class OpenRefusal extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  OpenRefusal(String sentence) {
    super(sentence, null, false, false);
  }

  String sentence() {
    return String.valueOf(getMessage());
  }
}
