package gatebook.events.vocabulary;

import org.axonframework.messaging.eventstreaming.Tag;

/** The tag by which it is found whether rules of a hash were observed before. */
public final class ObservedRulesTag {
  private ObservedRulesTag() {}

  public static Tag of(String rulesHash) {
    return new Tag("observed-rules", rulesHash);
  }
}
