/** Options and arguments that several commands have. */
@NullMarked
package gatebook.api.cli.option;

import org.jspecify.annotations.NullMarked;
