/** The sides behind us. */
@NullMarked
package gatebook.api.upstream;

import org.jspecify.annotations.NullMarked;
