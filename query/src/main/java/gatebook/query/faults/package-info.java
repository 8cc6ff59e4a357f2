/** Groups of error responses: what goes wrong, how often, and since when. */
@NullMarked
package gatebook.query.faults;

import org.jspecify.annotations.NullMarked;
