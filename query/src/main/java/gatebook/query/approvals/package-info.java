/** The approvals that are waiting for a person, and those that are decided. */
@NullMarked
package gatebook.query.approvals;

import org.jspecify.annotations.NullMarked;
