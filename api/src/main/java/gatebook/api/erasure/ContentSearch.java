package gatebook.api.erasure;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.events.CallEvent;
import gatebook.events.CallReceived;
import gatebook.events.MessageRefused;
import gatebook.events.journal.Journal;
import gatebook.events.journal.storage.Entry;
import gatebook.events.keys.ContentOwner;
import gatebook.events.keys.store.KeySelection;
import gatebook.events.vocabulary.ContentState;
import gatebook.events.vocabulary.EventVocabulary;
import gatebook.events.vocabulary.OpenedPayload;
import gatebook.query.call.CallEvents;
import gatebook.query.projection.GroupTag;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.axonframework.messaging.core.QualifiedName;
import org.jspecify.annotations.Nullable;

/** Finds calls whose content has a text. It opens events one after the other: there is no index. */
public final class ContentSearch {
  /** How many events one request opens. */
  private static final int EVENTS_MAX = 5_000;

  private static final int PAGE = 500;
  private static final JsonMapper JSON = new JsonMapper();

  private final Journal journal;
  private final EventVocabulary eventVocabulary;
  private final EventVocabulary closed = new EventVocabulary();
  private final CallEvents callEvents;

  public ContentSearch(Journal journal, EventVocabulary eventVocabulary) {
    this.journal = journal;
    this.eventVocabulary = eventVocabulary;
    this.callEvents = new CallEvents(journal, eventVocabulary);
  }

  /**
   * A call, or an event without one, whose content has the text.
   *
   * @param position of the first event that has it
   * @param callId absent where the event belongs to no call
   * @param events the names of the events that have it
   */
  public record Match(
      long position,
      Instant at,
      @Nullable UUID callId,
      @Nullable String correlationId,
      @Nullable String principal,
      List<String> events) {}

  /**
   * What one request found.
   *
   * @param next the position after which to go on; empty when the whole journal was searched
   * @param unopened the events whose content could not be opened
   */
  public record Found(List<Match> matches, OptionalLong next, long searched, long unopened) {}

  /**
   * Searches a limited number of events.
   *
   * @param selection whose content is searched, by days
   * @param after the position after which it begins
   * @param limit how many matches end the search
   */
  public Found find(String text, KeySelection selection, long after, int limit) {
    long head = journal.head();
    long read = Math.max(after, start(selection));
    Map<Object, Match> matches = new LinkedHashMap<>();
    long searched = 0;
    long unopened = 0;
    while (read < head && searched < EVENTS_MAX && matches.size() < limit) {
      List<Entry> page = journal.find(null, read, head, PAGE);
      if (page.isEmpty()) {
        read = head;
      }
      for (Entry entry : page) {
        Optional<UUID> call = GroupTag.CALL.of(entry);
        read = entry.position();
        searched++;
        if (selection.test(owner(entry, call))) {
          OpenedPayload opened = eventVocabulary.open(entry);
          if (hasText(entry, opened, text)) {
            add(matches, entry, call);
          } else if (isUnopened(opened.contentState())) {
            unopened++;
          }
        }
        if (matches.size() >= limit) {
          break;
        }
      }
    }
    return new Found(
        List.copyOf(matches.values()),
        read < head ? OptionalLong.of(read) : OptionalLong.empty(),
        searched,
        unopened);
  }

  /** Content of a day is in no event from before that day. */
  private long start(KeySelection selection) {
    return selection.since() == null
        ? 0
        : journal.positionBefore(selection.since().atStartOfDay(ZoneOffset.UTC).toInstant());
  }

  private static ContentOwner owner(Entry entry, Optional<UUID> call) {
    return call.map(it -> ContentOwner.ofCall(null, it))
        .orElseGet(() -> ContentOwner.at(null, Instant.parse(entry.at())));
  }

  private static boolean isUnopened(ContentState state) {
    return state == ContentState.KEY_MISSING || state == ContentState.REFUSED;
  }

  private boolean hasText(Entry entry, OpenedPayload opened, String text) {
    try {
      JsonNode all = JSON.readTree(opened.json());
      return switch (opened.contentState()) {
        case PLAIN -> containsText(all, text);
        case OPENED -> hasText(JSON.readTree(closed.open(entry).json()), all, text);
        case ERASED, KEY_MISSING, REFUSED, CLOSED -> false;
      };
    } catch (IOException _) {
      return false; // verify tells what is not JSON
    }
  }

  /** Searches the members of an opened event that are places of content in the closed one. */
  private static boolean hasText(JsonNode places, JsonNode opened, String text) {
    if (places.isArray()) {
      for (int i = 0; i < places.size(); i++) {
        if (hasText(places.path(i), opened.path(i), text)) {
          return true;
        }
      }
      return false;
    }
    return places.properties().stream()
        .anyMatch(place ->
            EventVocabulary.isPlaceOfContent(place.getKey())
                ? containsText(opened.path(name(place.getKey())), text)
                : hasText(place.getValue(), opened.path(place.getKey()), text));
  }

  private static String name(String place) {
    String name = EventVocabulary.nameOfContent(place);
    return EventVocabulary.isPlaceOfContent(name) ? EventVocabulary.nameOfContent(name) : name;
  }

  private static boolean containsText(JsonNode value, String text) {
    if (value.isContainerNode()) {
      return value.properties().stream().anyMatch(it -> it.getKey().contains(text))
          || value.valueStream().anyMatch(it -> containsText(it, text));
    }
    return value.asText().contains(text);
  }

  private void add(Map<Object, Match> matches, Entry entry, Optional<UUID> call) {
    String name = new QualifiedName(entry.name()).localName();
    Object key = call.<Object>map(it -> it).orElse(entry.position());
    Match known = matches.get(key);
    matches.put(key, known == null ? match(entry, call, name) : withEvent(known, name));
  }

  private static Match withEvent(Match match, String name) {
    List<String> names = new ArrayList<>(match.events());
    if (!names.contains(name)) {
      names.add(name);
    }
    return new Match(
        match.position(),
        match.at(),
        match.callId(),
        match.correlationId(),
        match.principal(),
        List.copyOf(names));
  }

  private Match match(Entry entry, Optional<UUID> call, String name) {
    Optional<CallEvent> begin =
        call.flatMap(id ->
            callEvents.entries(id).stream()
                .filter(it -> CallEvents.BEGINS.contains(it.name()))
                .findFirst()
                .flatMap(callEvents::read));
    @Nullable String correlationId = null;
    @Nullable String principal = null;
    switch (begin.orElse(null)) {
      case CallReceived received -> {
        correlationId = received.correlationId();
        principal = received.principal().name();
      }
      case MessageRefused refused -> correlationId = refused.correlationId();
      case null, default -> {
        // an event of the node
      }
    }
    return new Match(
        entry.position(),
        Instant.parse(entry.at()),
        call.orElse(null),
        correlationId,
        principal,
        List.of(name));
  }
}
