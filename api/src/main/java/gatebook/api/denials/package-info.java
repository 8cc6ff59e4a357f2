/** What is refused, and why, in numbers on the command line. */
@NullMarked
package gatebook.api.denials;

import org.jspecify.annotations.NullMarked;
