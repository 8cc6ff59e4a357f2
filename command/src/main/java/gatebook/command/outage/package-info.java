/** What is recorded of a time in which nothing could be. */
@NullMarked
package gatebook.command.outage;

import org.jspecify.annotations.NullMarked;
