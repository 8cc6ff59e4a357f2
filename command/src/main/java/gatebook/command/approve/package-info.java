/** What becomes of a question that was put to a person. */
@NullMarked
package gatebook.command.approve;

import org.jspecify.annotations.NullMarked;
