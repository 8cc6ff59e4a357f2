package gatebook.events.fault;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A component with texts that a caller may have chosen: secrets are removed from them before the
 * fault is recorded. In a record or a list, they are removed from what is inside.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface FromCaller {

  /** Whether the text is the id of a task, of which the gateway's own are kept. */
  boolean isTaskId() default false;
}
