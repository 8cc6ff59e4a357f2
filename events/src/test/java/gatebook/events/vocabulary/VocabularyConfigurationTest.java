package gatebook.events.vocabulary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gatebook.events.CallOrphaned;
import gatebook.events.CallReceived;
import gatebook.events.Named;
import gatebook.events.keys.ContentKeys;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.axonframework.common.configuration.AxonConfiguration;
import org.axonframework.conversion.ConversionException;
import org.axonframework.eventsourcing.configuration.EventSourcingConfigurer;
import org.axonframework.eventsourcing.eventstore.TagResolver;
import org.axonframework.messaging.core.MessageType;
import org.axonframework.messaging.core.MessageTypeResolver;
import org.axonframework.messaging.core.Metadata;
import org.axonframework.messaging.core.annotation.AnnotationMessageTypeResolver;
import org.axonframework.messaging.core.annotation.ClasspathParameterResolverFactory;
import org.axonframework.messaging.core.unitofwork.UnitOfWorkFactory;
import org.axonframework.messaging.eventhandling.EventMessage;
import org.axonframework.messaging.eventhandling.GenericEventMessage;
import org.axonframework.messaging.eventhandling.annotation.AnnotatedEventHandlingComponent;
import org.axonframework.messaging.eventhandling.conversion.EventConverter;
import org.axonframework.messaging.eventstreaming.Tag;
import org.junit.jupiter.api.Test;

class VocabularyConfigurationTest {
  private static final MessageType ORPHANED = new MessageType(Named.NAMESPACE, "CallOrphaned", "1");
  private final EventVocabulary eventVocabulary = new EventVocabulary();
  private final AxonConfiguration axon =
      EventSourcingConfigurer.create()
          .componentRegistry(registry -> registry.registerEnhancer(new VocabularyConfiguration()))
          .build();

  @Test
  void aStoredEventReachesItsHandlerAsItsRecord() {
    var seen = new Seen();
    var handlers =
        new AnnotatedEventHandlingComponent<>(
            seen, ClasspathParameterResolverFactory.forClass(Seen.class));
    var event = new CallOrphaned(Samples.CALL, "node-b", true);

    handle(handlers, stored(ORPHANED, eventVocabulary.write(event)));
    handle(
        handlers,
        stored(
            new MessageType(Named.NAMESPACE, "CallReceived", "2"),
            eventVocabulary.write(Samples.received())));

    assertThat(seen.events).containsExactly(event, Samples.received());
  }

  @Test
  void axonFindsTheSameNameInAnnotationAndVocabulary() {
    var configured = axon.getComponent(MessageTypeResolver.class);
    var annotated = new AnnotationMessageTypeResolver();

    assertThat(configured.resolve(CallOrphaned.class)).isEqualTo(Optional.of(ORPHANED));
    assertThat(Samples.events().values())
        .allSatisfy(event ->
            assertThat(annotated.resolve(event.getClass()))
                .isEqualTo(configured.resolve(event.getClass())));
    assertThat(configured.resolve(String.class)).isEqualTo(annotated.resolve(String.class));
  }

  @Test
  void axonTagsEventsByTheirFamily() {
    var event = new CallOrphaned(Samples.CALL, "node-b", true);

    assertThat(
            axon.getComponent(TagResolver.class).resolve(new GenericEventMessage(ORPHANED, event)))
        .isEqualTo(Set.of(new Tag("call", Samples.CALL.toString())));
  }

  @Test
  void aMessageKeepsItsPrincipalWhenMetadataIsAdded() {
    var event = new CallOrphaned(Samples.CALL, "node-b", true);
    EventMessage message = ContentMessage.of(List.of(event), "joe").getFirst();

    assertThat(message.andMetadata(Map.of("trace", "1")))
        .isEqualTo(
            new ContentMessage(
                message.identifier(),
                ORPHANED,
                event,
                "joe",
                message.timestamp(),
                Metadata.with("trace", "1")));
    assertThat(
            axon.getComponent(EventConverter.class).convertEvent(message, byte[].class).payload())
        .isEqualTo(eventVocabulary.write(event));
  }

  @Test
  void anEventBecomesItsStoredBytes() {
    var event = new CallOrphaned(Samples.CALL, "node-b", true);

    byte[] bytes = axon.getComponent(EventConverter.class).convert(event, byte[].class);

    assertThat(bytes).isEqualTo(eventVocabulary.write(event));
  }

  @Test
  void onlyEventsAreConverted() {
    var converter = axon.getComponent(EventConverter.class);

    assertThat(converter.canConvert(byte[].class, String.class)).isFalse();
    assertThatThrownBy(() -> converter.convert(new byte[0], String.class))
        .isInstanceOf(ConversionException.class)
        .hasMessage(
            "cannot convert byte[] to java.lang.String: an event is a record of the vocabulary or"
                + " its JSON in bytes");
  }

  @Test
  void anOldMessageIsPresentedInThePresentVersion() {
    var type = new MessageType(Named.NAMESPACE, "CallOrphaned", "2");
    EventUpgrade completed = json -> json.put("forwarded", true);
    var converter =
        new VocabularyConverter(
            new EventVocabulary(
                ContentKeys.NONE,
                List.of(new EventType(type, CallOrphaned.class, List.of(completed)))));
    var old =
        stored(
            ORPHANED,
            Samples.utf8(
                """
                {"callId":"%s","deadNode":"node-b"}\
                """
                    .formatted(Samples.CALL)));

    var present = converter.present(old);

    assertThat(present.type()).isEqualTo(type);
    assertThat(present.identifier()).isEqualTo(old.identifier());
    assertThat(present.timestamp()).isEqualTo(old.timestamp());
    assertThat(present.metadata()).isEqualTo(old.metadata());
    assertThat(present.payloadAs(CallOrphaned.class, converter))
        .isEqualTo(new CallOrphaned(Samples.CALL, "node-b", true));
    assertThat(converter.convertEvent(old, CallOrphaned.class).payload())
        .isEqualTo(present.payloadAs(CallOrphaned.class, converter));
    assertThat(converter.present(present)).isSameAs(present);
  }

  private void handle(AnnotatedEventHandlingComponent<Seen> handlers, EventMessage event) {
    axon.getComponent(UnitOfWorkFactory.class)
        .create()
        .executeWithResult(context -> handlers.handle(event, context).asCompletableFuture())
        .join();
  }

  private static EventMessage stored(MessageType type, byte[] json) {
    return new GenericEventMessage(
        "0199a3c2-7d12-7000-8000-000000000001",
        type,
        json,
        Map.of("node", "node-a"),
        Instant.parse("2026-10-01T12:00:00Z"));
  }

  static final class Seen {
    final List<Object> events = new ArrayList<>();

    @OnEvent
    void on(CallOrphaned event) {
      events.add(event);
    }

    @OnEvent
    void on(CallReceived event) {
      events.add(event);
    }
  }
}
