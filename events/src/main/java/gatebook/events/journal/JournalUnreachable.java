package gatebook.events.journal;

import java.io.Serial;

/** The process that keeps the journal does not answer; another may take its place. */
public final class JournalUnreachable extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  public JournalUnreachable(String reason) {
    super(reason);
  }
}
