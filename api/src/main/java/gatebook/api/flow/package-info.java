/** Trees of tasks: what callers ask for, and how a tree runs. */
@NullMarked
package gatebook.api.flow;

import org.jspecify.annotations.NullMarked;
