package gatebook.events.journal;

import java.io.Serial;
import java.sql.SQLException;

/** The journal is unreadable for now: its database failed a read that may work later. */
public final class JournalUnreadable extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  JournalUnreadable(SQLException cause) {
    super("the journal's database did not answer: " + DatabaseFailure.describe(cause), cause);
  }
}
