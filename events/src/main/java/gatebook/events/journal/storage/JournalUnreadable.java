package gatebook.events.journal.storage;

import java.io.Serial;

/** The journal is unreadable for now: its storage failed a read that may work later. */
public final class JournalUnreadable extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  public JournalUnreadable(StorageFailure cause) {
    super("the journal cannot be read: " + StorageFailure.describe(cause), cause);
  }
}
