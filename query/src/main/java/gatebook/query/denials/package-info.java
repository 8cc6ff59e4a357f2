/** Counts of denied calls: by which gate, and how often. */
@NullMarked
package gatebook.query.denials;

import org.jspecify.annotations.NullMarked;
