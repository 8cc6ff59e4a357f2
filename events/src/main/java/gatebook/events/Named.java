package gatebook.events;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The name and version under which an event is stored, apart from the names of Java classes: a name
 * never changes and never leaves, and versions count from 1.
 */
@Documented
@org.axonframework.messaging.eventhandling.annotation.Event(namespace = Named.NAMESPACE)
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Named {
  /** What every event's full name begins with. */
  String NAMESPACE = "gatebook";

  /** The name after the namespace. */
  String name();

  /** The version that this record is. */
  String version();
}
