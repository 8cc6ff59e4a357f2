/** Log lines: format, masking and destinations. */
@NullMarked
package gatebook.api.log;

import org.jspecify.annotations.NullMarked;
