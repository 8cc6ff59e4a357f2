/** The witnesses of this log, and this node as a witness of other logs. */
@NullMarked
package gatebook.api.witness;

import org.jspecify.annotations.NullMarked;
