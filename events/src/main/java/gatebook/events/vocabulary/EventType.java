package gatebook.events.vocabulary;

import gatebook.events.Event;
import gatebook.events.Named;
import java.util.List;
import org.axonframework.messaging.core.MessageType;

/**
 * The type of an event: its name and present version, its record, and the upgrades that lead from
 * its first version to the present one, in order.
 */
record EventType(MessageType present, Class<? extends Event> type, List<EventUpgrade> upgrades) {

  EventType {
    if (!present.version().equals(Integer.toString(upgrades.size() + 1))) {
      throw new IllegalArgumentException(
          "version %s of %s has %d upgrades from version 1: a new version needs an upgrade"
              .formatted(present.version(), present.name(), upgrades.size()));
    }
  }

  static EventType of(Class<? extends Event> type, List<EventUpgrade> upgrades) {
    var named = type.getAnnotation(Named.class);
    if (named == null) {
      throw new IllegalArgumentException("%s has no name".formatted(type.getName()));
    }
    return new EventType(
        new MessageType(Named.NAMESPACE, named.name(), named.version()), type, upgrades);
  }

  /** The upgrades from the given version on; none when it is the present one. */
  List<EventUpgrade> upgradesFrom(String version) {
    for (int i = 0; i <= upgrades.size(); i++) {
      if (version.equals(Integer.toString(i + 1))) {
        return upgrades.subList(i, upgrades.size());
      }
    }
    throw new UnreadableEvent(
        "version %s of %s is not known, only 1 to %s: read the journal with the gatebook that wrote it, or a newer one"
            .formatted(version, present.name(), present.version()),
        null);
  }
}
