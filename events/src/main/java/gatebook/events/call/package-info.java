/** The values that events consist of: principal, verdicts, error responses, kept content. */
@NullMarked
package gatebook.events.call;

import org.jspecify.annotations.NullMarked;
