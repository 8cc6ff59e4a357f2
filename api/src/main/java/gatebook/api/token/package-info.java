/** With what the operator of a node is known, on the command line. */
@NullMarked
package gatebook.api.token;

import org.jspecify.annotations.NullMarked;
