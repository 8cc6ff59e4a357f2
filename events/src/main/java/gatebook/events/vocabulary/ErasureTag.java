package gatebook.events.vocabulary;

import org.axonframework.messaging.eventstreaming.Tag;

/** The tag of all erasures of content, which are applied again after a restore. */
public final class ErasureTag {
  public static final Tag TAG = new Tag("erasure", "content");

  private ErasureTag() {}
}
