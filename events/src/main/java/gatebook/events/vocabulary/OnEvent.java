package gatebook.events.vocabulary;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.axonframework.messaging.eventhandling.annotation.EventHandler;

/**
 * Marks a method that handles the event it takes. Use it in place of Axon's own {@link
 * EventHandler}, which subscribes to the name of the Java class and so never sees an event of this
 * vocabulary.
 */
@Documented
@EventHandler
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface OnEvent {}
