/**
 * Backups of the journal and of content keys: how old they are, and how those of keys are made and
 * restored.
 */
@NullMarked
package gatebook.api.backup;

import org.jspecify.annotations.NullMarked;
