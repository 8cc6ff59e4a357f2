package gatebook.events.vocabulary;

import gatebook.events.Event;
import gatebook.events.Named;
import java.util.List;
import org.axonframework.messaging.core.MessageType;

/**
 * One event's name and present version, the record that stands for it, and the hops that lead from
 * its first version to the present one, in their order.
 */
record EventType(MessageType present, Class<? extends Event> type, List<EventUpgrade> hops) {

  EventType {
    if (!present.version().equals(Integer.toString(hops.size() + 1))) {
      throw new IllegalArgumentException(
          "version %s of %s has %d hops from version 1: a new version comes with its hop"
              .formatted(present.version(), present.name(), hops.size()));
    }
  }

  static EventType of(Class<? extends Event> type, List<EventUpgrade> hops) {
    var named = type.getAnnotation(Named.class);
    if (named == null) {
      throw new IllegalArgumentException("%s has no name".formatted(type.getName()));
    }
    return new EventType(
        new MessageType(Named.NAMESPACE, named.name(), named.version()), type, hops);
  }

  /** The hops from the given version on; none when it is the present one. */
  List<EventUpgrade> hopsFrom(String version) {
    for (int i = 0; i <= hops.size(); i++) {
      if (version.equals(Integer.toString(i + 1))) {
        return hops.subList(i, hops.size());
      }
    }
    throw new UnreadableEvent(
        "version %s of %s is not known, only 1 to %s: read the journal with the gatebook that wrote it, or a newer one"
            .formatted(version, present.name(), present.version()),
        null);
  }
}
