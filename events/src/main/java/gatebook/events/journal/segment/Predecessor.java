package gatebook.events.journal.segment;

import gatebook.events.journal.OpenRefusal;
import gatebook.events.journal.StorageFailure;
import java.io.IOException;

/** The predecessor of segments: another storage in which the journal was before. */
public interface Predecessor {
  boolean exists();

  /** Its name for operators. */
  String describe();

  /**
   * Opens its journal for reading, which changes nothing; the refusal says in one sentence why it
   * cannot be read.
   */
  PredecessorJournal open() throws OpenRefusal, StorageFailure;

  /**
   * Renames its files, so that it does not exist any longer and nothing is lost; those that are
   * renamed already stay as they are.
   */
  void retire() throws IOException;
}
