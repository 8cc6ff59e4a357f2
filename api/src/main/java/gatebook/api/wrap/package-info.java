/** The border before one server that is started here, for a client that started us instead. */
@NullMarked
package gatebook.api.wrap;

import org.jspecify.annotations.NullMarked;
