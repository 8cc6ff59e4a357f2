/**
 * The border's promises, kept by the product as it is run: what was forwarded or told is in the
 * journal, whenever it dies and whatever becomes of its disk.
 */
@NullMarked
package gatebook.api.proof;

import org.jspecify.annotations.NullMarked;
