/** One recorded call step by step, and decided again: by the rules of then, and by those of now. */
@NullMarked
package gatebook.api.again;

import org.jspecify.annotations.NullMarked;
