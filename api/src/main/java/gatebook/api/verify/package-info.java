/** {@code gatebook verify}: was the journal edited, and if so, does an operator go on with it? */
@NullMarked
package gatebook.api.verify;

import org.jspecify.annotations.NullMarked;
