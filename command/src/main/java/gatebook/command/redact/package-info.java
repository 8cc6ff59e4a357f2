/** What must not be kept, logged or told, and how it is taken out of texts. */
@NullMarked
package gatebook.command.redact;

import org.jspecify.annotations.NullMarked;
