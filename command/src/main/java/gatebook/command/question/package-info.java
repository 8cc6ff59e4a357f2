/** What sources ask callers before they answer, and what callers say to it. */
@NullMarked
package gatebook.command.question;

import org.jspecify.annotations.NullMarked;
