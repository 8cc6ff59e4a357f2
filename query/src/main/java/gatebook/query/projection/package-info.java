/** Follows the journal with views: their database, their positions, and rebuilding them. */
@NullMarked
package gatebook.query.projection;

import org.jspecify.annotations.NullMarked;
