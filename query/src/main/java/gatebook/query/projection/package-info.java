/** How a view follows the journal: its own database, its position, and who waits for it. */
@NullMarked
package gatebook.query.projection;

import org.jspecify.annotations.NullMarked;
