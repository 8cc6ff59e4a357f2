/** The command that decides recorded calls again by a candidate for the rules. */
@NullMarked
package gatebook.api.cli.whatif;

import org.jspecify.annotations.NullMarked;
