package gatebook.events.fault;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A component as a field of the log line about the fault; one that is absent is left out. Of a list
 * of records the first is logged, by its own fields. On the record itself: the reason that callers
 * see is a field, before those of the components.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.TYPE})
public @interface LogField {

  /** The name of the target: its field is called like the kind of the target. */
  String TARGET = "target";

  /** The id of a task; one of the gateway's own is logged as the id of its call. */
  String TASK_ID = "task_id";

  /** The name of the field; that of a list of records is not used. */
  String value();

  /** Whether it stands after the fields of the components that follow. */
  boolean isLast() default false;
}
