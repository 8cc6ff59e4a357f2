/** The console, where operators look: its pages and files, and the sign-in of browsers. */
@NullMarked
package gatebook.api.console;

import org.jspecify.annotations.NullMarked;
