/** What happened to this call? Found by whatever id it is known by. */
@NullMarked
package gatebook.query.calls;

import org.jspecify.annotations.NullMarked;
