/** Those who look into a governed call that every gate lets pass, and may refuse it. */
@NullMarked
package gatebook.command.inspect;

import org.jspecify.annotations.NullMarked;
