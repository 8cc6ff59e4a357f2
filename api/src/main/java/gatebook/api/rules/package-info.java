/** The rules in force, and the check of rules files. */
@NullMarked
package gatebook.api.rules;

import org.jspecify.annotations.NullMarked;
