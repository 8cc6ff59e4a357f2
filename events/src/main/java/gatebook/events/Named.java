package gatebook.events;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names an event: the name and version under which it is stored, independent of the Java class. A
 * name never changes and is never removed, and versions count from 1.
 */
@Documented
@org.axonframework.messaging.eventhandling.annotation.Event(namespace = Named.NAMESPACE)
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Named {
  /** The namespace: the beginning of every event's full name. */
  String NAMESPACE = "gatebook";

  /** The name after the namespace. */
  String name();

  /** The version that this record represents. */
  String version();
}
