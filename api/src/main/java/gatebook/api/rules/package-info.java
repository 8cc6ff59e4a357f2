/**
 * The rules in force: where they come from, since when they decide, and what is wrong with them.
 */
@NullMarked
package gatebook.api.rules;

import org.jspecify.annotations.NullMarked;
