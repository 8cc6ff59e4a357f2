/**
 * Detection and redaction of secrets in texts and JSON. {@link gatebook.command.redact.Scrubber} is
 * the entry point.
 */
@NullMarked
package gatebook.command.redact;

import org.jspecify.annotations.NullMarked;
