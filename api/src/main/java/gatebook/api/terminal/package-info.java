/** Where a person reads what this process writes. */
@NullMarked
package gatebook.api.terminal;

import org.jspecify.annotations.NullMarked;
