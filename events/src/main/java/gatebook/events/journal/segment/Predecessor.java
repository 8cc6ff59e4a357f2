package gatebook.events.journal.segment;

import gatebook.events.journal.JournalStorage;
import java.io.IOException;

/** The predecessor of segments: another storage in which the journal was before. */
public interface Predecessor {
  boolean exists();

  /** Its storage, not yet open. */
  JournalStorage storage();

  /** Renames its files, so that it does not exist any longer and nothing is lost. */
  void retire() throws IOException;
}
