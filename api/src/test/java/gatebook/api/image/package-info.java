/** The container image. */
@NullMarked
package gatebook.api.image;

import org.jspecify.annotations.NullMarked;
