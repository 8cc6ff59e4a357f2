package gatebook.events.journal.axon;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.events.Event;
import gatebook.events.call.UtcTime;
import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.storage.Entry;
import gatebook.events.vocabulary.VocabularyConverter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.axonframework.conversion.Converter;
import org.axonframework.eventsourcing.eventstore.TaggedEventMessage;
import org.axonframework.messaging.core.Context;
import org.axonframework.messaging.core.MessageStream;
import org.axonframework.messaging.core.MessageType;
import org.axonframework.messaging.core.QualifiedName;
import org.axonframework.messaging.core.SimpleEntry;
import org.axonframework.messaging.eventhandling.EventMessage;
import org.axonframework.messaging.eventhandling.GenericEventMessage;
import org.axonframework.messaging.eventhandling.processing.streaming.token.GlobalSequenceTrackingToken;
import org.axonframework.messaging.eventhandling.processing.streaming.token.TrackingToken;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.jspecify.annotations.Nullable;

/**
 * Converts Axon's event messages to rows and back; payloads stay bytes until a handler asks for
 * their type.
 */
public final class EventMessages {
  private static final TypeReference<Map<String, String>> TEXT_MAP = new TypeReference<>() {};
  private static final byte[] NO_PAYLOAD = {};
  private static final byte[] EMPTY_OBJECT = {'{', '}'};

  private final Converter converter;
  private final @Nullable VocabularyConverter vocabularyConverter;
  private final ObjectMapper metadata =
      JsonMapper.builder().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS).build();

  public EventMessages(Converter converter) {
    this(converter, null);
  }

  /** The events of the vocabulary: content is sealed, and old versions are upgraded. */
  public EventMessages(VocabularyConverter converter) {
    this(converter, converter);
  }

  private EventMessages(Converter converter, @Nullable VocabularyConverter vocabularyConverter) {
    this.converter = converter;
    this.vocabularyConverter = vocabularyConverter;
  }

  DraftEvent draft(TaggedEventMessage<?> tagged) {
    EventMessage event = tagged.event();
    Object content = event.payload();
    if (vocabularyConverter != null && content instanceof Event ours) {
      return vocabularyConverter.draft(event, ours, tagged.tags(), metadataJson(event.metadata()));
    }
    return DraftEvent.of(
        event.identifier(),
        event.type().qualifiedName().toString(),
        event.type().version(),
        event.timestamp(),
        tagged.tags(),
        Objects.requireNonNullElse(event.payloadAs(byte[].class, converter), NO_PAYLOAD),
        metadataJson(event.metadata()),
        content instanceof byte[] ? null : content);
  }

  private byte[] metadataJson(Map<String, String> texts) {
    if (texts.isEmpty()) {
      return EMPTY_OBJECT;
    }
    try {
      return metadata.writeValueAsBytes(texts);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException("the metadata of an event cannot be written", e);
    }
  }

  /** Whether the entry matches; an index finds entries that do not. */
  static boolean matches(EventCriteria criteria, Entry entry) {
    return !criteria.hasCriteria()
        || criteria.matches(new QualifiedName(entry.name()), entry.tagSet());
  }

  /** The messages of the entries that match, each with its tracking token. */
  List<MessageStream.Entry<EventMessage>> tracked(List<Entry> entries, EventCriteria criteria) {
    return entries.stream().filter(entry -> matches(criteria, entry)).map(this::tracked).toList();
  }

  /** The message with the tracking token of its position. */
  MessageStream.Entry<EventMessage> tracked(Entry entry) {
    TrackingToken token = new GlobalSequenceTrackingToken(entry.position());
    return new SimpleEntry<>(
        present(message(entry)), TrackingToken.addToContext(Context.empty(), token));
  }

  private EventMessage present(EventMessage stored) {
    return vocabularyConverter == null ? stored : vocabularyConverter.present(stored);
  }

  private EventMessage message(Entry entry) {
    return new GenericEventMessage(
        entry.id(),
        new MessageType(entry.name(), entry.version()),
        entry.payload(),
        read(entry.metadata()),
        UtcTime.parse(entry.at()));
  }

  private Map<String, String> read(byte[] bytes) {
    try {
      return metadata.readValue(bytes, TEXT_MAP);
    } catch (IOException e) {
      throw new UncheckedIOException("the metadata of an event cannot be read", e);
    }
  }
}
