/** Formats what commands print on a terminal. */
@NullMarked
package gatebook.api.cli.text;

import org.jspecify.annotations.NullMarked;
