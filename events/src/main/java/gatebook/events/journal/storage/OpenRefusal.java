package gatebook.events.journal.storage;

import gatebook.events.journal.Journal;
import java.io.Serial;

/**
 * A refusal to open a journal, as one sentence for operators; {@link Journal#open} returns it as a
 * value.
 */
public final class OpenRefusal extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  public OpenRefusal(String sentence) {
    super(sentence, null, false, false);
  }

  public String sentence() {
    return String.valueOf(getMessage());
  }
}
