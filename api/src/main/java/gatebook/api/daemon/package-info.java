/** The daemon dialect: its method table and its built-in methods. */
@NullMarked
package gatebook.api.daemon;

import org.jspecify.annotations.NullMarked;
