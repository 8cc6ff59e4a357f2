/** What happened to a call, looked up by any id that the call has. */
@NullMarked
package gatebook.query.calls;

import org.jspecify.annotations.NullMarked;
