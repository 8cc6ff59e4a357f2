package gatebook.events.vocabulary;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toUnmodifiableMap;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.events.Event;
import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.storage.Entry;
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
 * The vocabulary of events: the stable name and version of each, and its JSON.
 *
 * <p>Names never change and are never removed; a change that readers of the present version cannot
 * ignore makes a new version and an {@link EventUpgrade} from the old one. Equal events give equal
 * bytes. Reading ignores unknown members, and fails for an event that lacks a required one.
 */
public final class EventVocabulary {
  /** The upgrades of each event that has had an earlier version. */
  private static final Map<Class<? extends Event>, List<EventUpgrade>> UPGRADES = Map.of();

  private static final byte[] NO_METADATA = {'{', '}'};

  private final ObjectMapper mapper = EventJson.mapper();
  private final Map<Class<?>, EventType> byType;
  private final Map<String, EventType> byName;

  public EventVocabulary() {
    this(
        SealedFamilies.leaves(Event.class)
            .map(type -> EventType.of(type, UPGRADES.getOrDefault(type, List.of())))
            .toList());
  }

  EventVocabulary(List<EventType> types) {
    this.byType = types.stream().collect(toUnmodifiableMap(EventType::type, Function.identity()));
    this.byName =
        types.stream()
            .collect(
                toUnmodifiableMap(eventType -> eventType.present().name(), Function.identity()));
  }

  /** The present name and version of an event; empty for a class that is not an event. */
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
      // by way of a text, which takes no longer than writing bytes, and in which a lone surrogate
      // becomes '?' where that would throw
      return mapper.writeValueAsString(event).getBytes(UTF_8);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException("cannot write " + event.getClass().getSimpleName(), e);
    }
  }

  /** The event as a draft for the journal, with a new id and its tags. */
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
   * The event of a stored entry. An event that this process wrote is not parsed again.
   *
   * @throws UnreadableEvent when the name or version is not known, or the JSON lacks a required
   *     member
   */
  public Event read(Entry entry) {
    return entry.content() instanceof Event event && isLossless(entry.payload())
        ? event
        : read(new MessageType(entry.name(), entry.version()), entry.payload());
  }

  /** Whether writing lost nothing: a lone surrogate is written as a question mark. */
  private static boolean isLossless(byte[] json) {
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
   * @throws UnreadableEvent when the name or version is not known, or the JSON lacks a required
   *     member
   */
  public Event read(MessageType type, byte[] json) {
    return read(typeNamed(type).type(), present(type, json));
  }

  /**
   * Reads an event of the present version.
   *
   * @throws UnreadableEvent when the JSON lacks a required member
   */
  public <E extends Event> E read(Class<E> event, byte[] json) {
    try {
      return mapper.readValue(json, event);
    } catch (IOException e) {
      throw unreadable(event.getSimpleName(), e);
    }
  }

  /**
   * Reads an event of one type from the stored bytes of an entry. Empty when the entry has an event
   * of another type, or one that this version cannot read.
   */
  public <E> Optional<E> readIfPossible(Entry entry, Class<E> type) {
    try {
      Object event = read(new MessageType(entry.name(), entry.version()), entry.payload());
      return type.isInstance(event) // JSON's null is read as null
          ? Optional.of(type.cast(event))
          : Optional.empty();
    } catch (UnreadableEvent | IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  /** The present version of the named event. */
  MessageType present(MessageType type) {
    return typeNamed(type).present();
  }

  /** The JSON in the present version; the same array when it already is. */
  byte[] present(MessageType type, byte[] json) {
    var upgrades = typeNamed(type).upgradesFrom(type.version());
    return upgrades.isEmpty() ? json : upgraded(type, json, upgrades);
  }

  private byte[] upgraded(MessageType type, byte[] json, List<EventUpgrade> upgrades) {
    try {
      var node = mapper.readValue(json, ObjectNode.class);
      for (var eventUpgrade : upgrades) {
        node = eventUpgrade.next(node);
      }
      return mapper.writeValueAsBytes(node);
    } catch (IOException e) {
      throw unreadable(type.toString(), e);
    }
  }

  private EventType typeNamed(MessageType type) {
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
