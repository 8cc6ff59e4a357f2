package gatebook.events.vocabulary;

import java.util.Optional;
import org.axonframework.common.configuration.ComponentRegistry;
import org.axonframework.common.configuration.ConfigurationEnhancer;
import org.axonframework.eventsourcing.eventstore.TagResolver;
import org.axonframework.messaging.core.HierarchicalMessageTypeResolver;
import org.axonframework.messaging.core.MessageType;
import org.axonframework.messaging.core.MessageTypeResolver;
import org.axonframework.messaging.core.annotation.AnnotationMessageTypeResolver;
import org.axonframework.messaging.eventhandling.conversion.EventConverter;

/**
 * Configures Axon to tag, write and read events by the vocabulary, and to find their names without
 * looking for annotations each time. Commands and queries keep Axon's own names.
 */
public final class VocabularyConfiguration implements ConfigurationEnhancer {
  @Override
  public void enhance(ComponentRegistry registry) {
    var eventVocabulary = new EventVocabulary();
    registry
        .registerComponent(
            MessageTypeResolver.class,
            _ ->
                remembering(
                    new HierarchicalMessageTypeResolver(
                        eventVocabulary::typeOf, new AnnotationMessageTypeResolver())))
        .registerComponent(EventConverter.class, _ -> new VocabularyConverter(eventVocabulary))
        .registerComponent(TagResolver.class, _ -> new EventTags());
  }

  private static MessageTypeResolver remembering(MessageTypeResolver resolver) {
    var types =
        new ClassValue<Optional<MessageType>>() {
          @Override
          protected Optional<MessageType> computeValue(Class<?> payloadType) {
            return resolver.resolve(payloadType);
          }
        };
    return types::get;
  }
}
