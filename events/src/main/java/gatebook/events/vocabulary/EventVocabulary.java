package gatebook.events.vocabulary;

import static java.util.stream.Collectors.toUnmodifiableMap;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.events.CallEvent;
import gatebook.events.Event;
import gatebook.events.TreeEvent;
import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.storage.Entry;
import gatebook.events.keys.ContentKeys;
import gatebook.events.keys.ContentOwner;
import gatebook.events.keys.KeysUnavailable;
import gatebook.events.keys.OldKeys;
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
import org.axonframework.messaging.eventstreaming.Tag;
import org.jspecify.annotations.Nullable;

/**
 * The vocabulary of events: the stable name and version of each, and its JSON.
 *
 * <p>Names never change and are never removed; a change that readers of the present version cannot
 * ignore makes a new version and an {@link EventUpgrade} from the old one. Equal events give equal
 * bytes. Reading ignores unknown members, and fails for an event that lacks a required one.
 */
public final class EventVocabulary {
  private static final byte[] NO_METADATA = {'{', '}'};

  private final ObjectMapper mapper = EventJson.mapper();
  private final ContentSealing contentSealing;
  private final Map<Class<?>, EventType> byType;
  private final Map<String, EventType> byName;

  /** A vocabulary without keys: it reads events without their content. */
  public EventVocabulary() {
    this(ContentKeys.NONE, OldKeys.NONE);
  }

  /** A vocabulary that seals content and opens it. */
  public EventVocabulary(ContentKeys contentKeys, OldKeys oldKeys) {
    this(contentKeys, types(OldSealUpgrade.all(oldKeys)));
  }

  private static List<EventType> types(Map<Class<? extends Event>, List<EventUpgrade>> upgrades) {
    return SealedFamilies.leaves(Event.class)
        .map(type -> EventType.of(type, upgrades.getOrDefault(type, List.of())))
        .toList();
  }

  EventVocabulary(ContentKeys contentKeys, List<EventType> types) {
    this.contentSealing = new ContentSealing(contentKeys);
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

  /** The event as JSON of the present version, with its content in plain. */
  public byte[] write(Event event) {
    try {
      SplitJson json = SplitJson.whole(event);
      byte[] bytes = json.plain().toArray();
      json.release();
      return bytes;
    } catch (IOException e) {
      throw unwritable(event, e);
    }
  }

  /**
   * The event as a draft for the journal, with a new id and its tags; its content is the node's.
   *
   * @throws KeysUnavailable when its content cannot be sealed now
   */
  public DraftEvent draft(Event event, Instant at) {
    return draft(UUID.randomUUID().toString(), event, at, EventTags.of(event), null, NO_METADATA);
  }

  /**
   * The event as a draft for the journal.
   *
   * @param principal whose content the event has; absent for the node's
   * @throws KeysUnavailable when its content cannot be sealed now
   */
  DraftEvent draft(
      String id,
      Event event,
      Instant at,
      Set<Tag> tags,
      @Nullable String principal,
      byte[] metadata) {
    MessageType type = typeOf(event.getClass()).orElseThrow();
    try {
      SplitJson json = SplitJson.of(event);
      byte[] payload =
          json.hasContent()
              ? contentSealing.seal(id, type.name(), owner(event, principal, at), json)
              : json.plain().toArray();
      boolean isLossless = json.isLossless();
      json.release();
      return DraftEvent.of(
          id, type.name(), type.version(), at, tags, payload, metadata, isLossless ? event : null);
    } catch (IOException e) {
      throw unwritable(event, e);
    }
  }

  /** Whether an event has content, which is sealed when it is written. */
  public boolean hasContent(Event event) {
    try {
      SplitJson json = SplitJson.of(event);
      boolean hasContent = json.hasContent();
      json.release();
      return hasContent;
    } catch (IOException e) {
      throw unwritable(event, e);
    }
  }

  private static ContentOwner owner(Event event, @Nullable String principal, Instant at) {
    return switch (event) {
      case CallEvent call -> ContentOwner.ofCall(principal, call.callId());
      case TreeEvent tree -> ContentOwner.at(tree.owner(), at);
      default -> ContentOwner.at(principal, at);
    };
  }

  private static UncheckedIOException unwritable(Event event, IOException e) {
    return new UncheckedIOException("cannot write " + event.getClass().getSimpleName(), e);
  }

  /** The JSON of a stored entry with its content, as far as that can be read. */
  public OpenedPayload open(Entry entry) {
    return contentSealing.open(entry.id(), entry.name(), entry.payload(), true);
  }

  /**
   * The JSON of a stored entry with its content, as far as people may see it: without originals.
   */
  public OpenedPayload openToShow(Entry entry) {
    return contentSealing.open(entry.id(), entry.name(), entry.payload(), false);
  }

  /** The id of the content key that a stored entry names; empty when none of it is sealed. */
  public static Optional<String> contentKeyOf(Entry entry) {
    return Optional.ofNullable(SealedForm.read(entry.payload())).map(SealedForm::keyId);
  }

  /**
   * Whether a content key that a stored entry names is missing without having been erased.
   *
   * @throws KeysUnavailable when that cannot be known now
   */
  public boolean isMissing(String contentKey) {
    return contentSealing.isMissing(contentKey);
  }

  /** Whether a member of opened JSON is the place of an original. */
  public static boolean isPlaceOfOriginal(String name) {
    return name.startsWith(ErasableMembers.ORIGINAL_MARK);
  }

  /** Whether a member of opened JSON is the place of content that was not opened. */
  public static boolean isPlaceOfContent(String name) {
    return name.startsWith(ErasableMembers.MARK);
  }

  /** The name of the content whose place this is. */
  public static String nameOfContent(String place) {
    return place.substring(ErasableMembers.MARK.length());
  }

  /**
   * The event of a stored entry. An event that this process wrote is not parsed again.
   *
   * @throws UnreadableEvent when the name or version is not known, or the JSON lacks a required
   *     member
   */
  public Event read(Entry entry) {
    return entry.content() instanceof Event event
        ? event
        : read(new MessageType(entry.name(), entry.version()), open(entry).json());
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
    return readIfPossible(entry, open(entry), type);
  }

  /** The same from an entry that was opened before, with the content that was opened. */
  public <E> Optional<E> readIfPossible(Entry entry, OpenedPayload opened, Class<E> type) {
    try {
      Object event = read(new MessageType(entry.name(), entry.version()), opened.json());
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

  /**
   * The JSON of a stored message in the present version, with its content as far as that can be
   * read.
   */
  byte[] present(String id, MessageType type, byte[] payload) {
    return present(type, contentSealing.open(id, type.name(), payload, true).json());
  }

  /** The JSON in the present version; the same array when it already is. */
  private byte[] present(MessageType type, byte[] json) {
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
