/** Cedar policies: reading, checking and evaluating them. */
@NullMarked
package gatebook.command.policy;

import org.jspecify.annotations.NullMarked;
