/** Error vocabularies: a fault becomes a code, a message and data in the caller's dialect. */
@NullMarked
package gatebook.api.dialect;

import org.jspecify.annotations.NullMarked;
