package gatebook.events.journal;

/**
 * Edits a closed journal as an administrator of its storage could who does not have the signing
 * key: what the storage derives from the entries stays as it was or follows, as is easiest.
 */
public interface JournalEditor {
  void deleteEvents(long... positions);

  void deleteEverything();

  void rename(long position, String name);

  void deleteCheckpointsAfter(long number);
}
