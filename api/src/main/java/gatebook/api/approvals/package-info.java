/** What waits for a person, and the person's answer, on the command line. */
@NullMarked
package gatebook.api.approvals;

import org.jspecify.annotations.NullMarked;
