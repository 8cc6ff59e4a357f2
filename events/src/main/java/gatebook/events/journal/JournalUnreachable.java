package gatebook.events.journal;

import java.io.Serial;

/**
 * The journal is unreachable: the process that has it open does not respond. Another process may
 * take over.
 */
public final class JournalUnreachable extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  public JournalUnreachable(String reason) {
    super(reason);
  }
}
