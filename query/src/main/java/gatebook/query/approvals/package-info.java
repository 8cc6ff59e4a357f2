/** Which questions wait for a person, and what became of those that were put before. */
@NullMarked
package gatebook.query.approvals;

import org.jspecify.annotations.NullMarked;
