package gatebook.query.projection;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.axonframework.messaging.eventhandling.annotation.EventHandler;

/**
 * Marks a handler method of a projection. Its first parameter is the event, which it handles under
 * the name that the event is stored by. It may also take the event's journal entry and the rows of
 * the page.
 *
 * <p>Axon 5.0.1 subscribes a method with its own annotation and no name to the name of the Java
 * class, which no stored event has. A method with this annotation is subscribed by the annotation
 * of the event.
 */
@Documented
@EventHandler
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface ProjectionHandler {}
