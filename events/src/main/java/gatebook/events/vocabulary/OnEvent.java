package gatebook.events.vocabulary;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.axonframework.messaging.eventhandling.annotation.EventHandler;

/**
 * Marks a method that handles the event in its parameter. Use it instead of Axon's own {@link
 * EventHandler}, which subscribes to the name of the Java class and so never receives an event of
 * this vocabulary.
 */
@Documented
@EventHandler
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface OnEvent {}
