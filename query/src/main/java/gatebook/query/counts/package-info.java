/** Counts of a view's rows by the hour and other intervals, kept beside the rows. */
@NullMarked
package gatebook.query.counts;

import org.jspecify.annotations.NullMarked;
