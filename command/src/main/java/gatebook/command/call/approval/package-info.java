/** Approvals of calls: an operator decides, and a held call resumes or not. */
@NullMarked
package gatebook.command.call.approval;

import org.jspecify.annotations.NullMarked;
