/** What commands that ask a running server have in common. */
@NullMarked
package gatebook.api.ask;

import org.jspecify.annotations.NullMarked;
