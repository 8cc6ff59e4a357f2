package gatebook.events.vocabulary;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.Event;
import gatebook.events.journal.DraftEvent;
import java.time.Instant;
import java.util.UUID;

/** Drafts of events whose content is that of a principal, as the product appends them. */
public final class PrincipalDrafts {
  private PrincipalDrafts() {}

  public static DraftEvent of(
      EventVocabulary eventVocabulary, Event event, Instant at, String principal) {
    return eventVocabulary.draft(
        UUID.randomUUID().toString(),
        event,
        at,
        EventTags.of(event),
        principal,
        "{}".getBytes(UTF_8));
  }
}
