/** Detection and removal of secrets in texts and JSON. */
@NullMarked
package gatebook.command.redact;

import org.jspecify.annotations.NullMarked;
