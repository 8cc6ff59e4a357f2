package gatebook.events.vocabulary;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toUnmodifiableMap;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.events.Event;
import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.Entry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.axonframework.messaging.core.MessageType;

/**
 * Every event's stable name and version, and its JSON.
 *
 * <p>Names never change and never leave; a change that readers of the present version cannot ignore
 * makes a new version and a {@link EventUpgrade} from the old one. Equal events give equal bytes.
 * Reading ignores members it does not know, and refuses an event that lacks one it needs.
 */
public final class EventVocabulary {
  /** The hops of each event that has had an earlier version. */
  private static final Map<Class<? extends Event>, List<EventUpgrade>> HOPS = Map.of();

  private static final byte[] NO_METADATA = {'{', '}'};

  private final ObjectMapper mapper = EventJson.mapper();
  private final Map<Class<?>, EventType> byType;
  private final Map<String, EventType> byName;

  public EventVocabulary() {
    this(
        SealedFamilies.leaves(Event.class)
            .map(type -> EventType.of(type, HOPS.getOrDefault(type, List.of())))
            .toList());
  }

  EventVocabulary(List<EventType> words) {
    this.byType = words.stream().collect(toUnmodifiableMap(EventType::type, Function.identity()));
    this.byName =
        words.stream()
            .collect(
                toUnmodifiableMap(eventType -> eventType.present().name(), Function.identity()));
  }

  /** The present name and version of an event; empty for what is no event. */
  public Optional<MessageType> typeOf(Class<?> event) {
    return Optional.ofNullable(byType.get(event)).map(EventType::present);
  }

  /** The names of all events. */
  public Set<String> names() {
    return byName.keySet();
  }

  /** The event as JSON of the present version. */
  public byte[] write(Event event) {
    try {
      // by way of a text, in which a lone surrogate becomes '?' where writing bytes would throw
      return mapper.writeValueAsString(event).getBytes(UTF_8);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException("cannot write " + event.getClass().getSimpleName(), e);
    }
  }

  /** The event as the journal takes it, with a new id and its tags. */
  public DraftEvent draft(Event event, Instant at) {
    var type = typeOf(event.getClass()).orElseThrow();
    return DraftEvent.of(
        UUID.randomUUID().toString(),
        type.name(),
        type.version(),
        at,
        EventTags.of(event),
        write(event),
        NO_METADATA,
        event);
  }

  /**
   * The event that is stored as this; what this process wrote needs not be read.
   *
   * @throws UnreadableEvent as reading does
   */
  public Event read(Entry entry) {
    return entry.content() instanceof Event event && isWhole(entry.payload())
        ? event
        : read(new MessageType(entry.name(), entry.version()), entry.payload());
  }

  /** Half a character is written as a question mark: without one, nothing was lost. */
  private static boolean isWhole(byte[] json) {
    for (byte b : json) {
      if (b == '?') {
        return false;
      }
    }
    return true;
  }

  /**
   * Reads an event of any version.
   *
   * @throws UnreadableEvent when the name or version is not known, or the JSON lacks what it needs
   */
  public Event read(MessageType type, byte[] json) {
    return read(word(type).type(), present(type, json));
  }

  /**
   * Reads an event of the present version.
   *
   * @throws UnreadableEvent when the JSON lacks what it needs
   */
  public <E extends Event> E read(Class<E> event, byte[] json) {
    try {
      return mapper.readValue(json, event);
    } catch (IOException e) {
      throw unreadable(event.getSimpleName(), e);
    }
  }

  /** The present version of what the given type names. */
  MessageType present(MessageType type) {
    return word(type).present();
  }

  /** The JSON in the present version; the very same bytes when it is that already. */
  byte[] present(MessageType type, byte[] json) {
    var hops = word(type).hopsFrom(type.version());
    return hops.isEmpty() ? json : hopped(type, json, hops);
  }

  private byte[] hopped(MessageType type, byte[] json, List<EventUpgrade> hops) {
    try {
      var node = mapper.readValue(json, ObjectNode.class);
      for (var eventUpgrade : hops) {
        node = eventUpgrade.next(node);
      }
      return mapper.writeValueAsBytes(node);
    } catch (IOException e) {
      throw unreadable(type.toString(), e);
    }
  }

  private EventType word(MessageType type) {
    var eventType = byName.get(type.name());
    if (eventType == null) {
      throw new UnreadableEvent(
          "%s is no event of this vocabulary: read the journal with the gatebook that wrote it, or a newer one"
              .formatted(type.name()),
          null);
    }
    return eventType;
  }

  private static UnreadableEvent unreadable(String event, IOException cause) {
    var detail =
        cause instanceof JsonProcessingException json
            ? json.getOriginalMessage()
            : cause.getMessage();
    return new UnreadableEvent("cannot read %s: %s".formatted(event, detail), cause);
  }
}
