/** Those who look into a call before it goes on. */
@NullMarked
package gatebook.command.inspect;

import org.jspecify.annotations.NullMarked;
