/** Commands about calls, tasks and rules, and their deciders. */
@NullMarked
package gatebook.command.call;

import org.jspecify.annotations.NullMarked;
