package gatebook.events.call;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks an erasable member of an event: content, which callers, sources or people wrote freely. It
 * is stored sealed, and an erasure destroys the key. Names of principals and operators, ids,
 * targets, gates, codes and times are the record, and never content.
 *
 * <p>Where it cannot be read, the member is absent; one that may not be absent is {@link
 * #UNREADABLE}, or empty when it is a list or a map.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Erasable {

  /** Whether it is as it was received, with its secrets: it is used, and never shown. */
  boolean isOriginal() default false;

  /** The text in the place of one that cannot be read: it was erased, or its key is missing. */
  String UNREADABLE = "[erased or not readable]";
}
