/** Gate 3: the Cedar policies. */
@NullMarked
package gatebook.command.policy;

import org.jspecify.annotations.NullMarked;
