package gatebook.events.vocabulary;

import org.axonframework.messaging.eventstreaming.Tag;

/** The tag of all backups of content keys, and of their restores. */
public final class BackupTag {
  public static final Tag TAG = new Tag("backup", "content-keys");

  private BackupTag() {}
}
