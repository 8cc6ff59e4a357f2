/** Log lines: format, masking of secrets, and destinations. */
@NullMarked
package gatebook.api.log;

import org.jspecify.annotations.NullMarked;
