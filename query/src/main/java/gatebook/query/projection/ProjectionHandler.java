package gatebook.query.projection;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.axonframework.messaging.eventhandling.annotation.EventHandler;

/**
 * Marks a handler method of a projection. It takes the event first, whose class says by which name
 * it is stored, and then, as far as it needs them, the event's journal entry and the rows of the
 * page.
 *
 * <p>Axon 5.0.1 subscribes a method that has only Axon's own annotation to the name of the Java
 * class, which no stored event has.
 */
@Documented
@EventHandler
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface ProjectionHandler {
  /**
   * The full name of the event, for a method that does not take the event, which is then not read.
   */
  String eventName() default "";
}
