/** {@code gatebook replay}: what happened once, once more. */
@NullMarked
package gatebook.api.replay;

import org.jspecify.annotations.NullMarked;
