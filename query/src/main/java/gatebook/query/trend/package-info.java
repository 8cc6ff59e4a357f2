/** The trend of counts over a time span, of which the journal may have recorded a part. */
@NullMarked
package gatebook.query.trend;

import org.jspecify.annotations.NullMarked;
