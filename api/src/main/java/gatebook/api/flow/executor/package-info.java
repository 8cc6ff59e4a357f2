/** Executors of tasks: the tools that callers may see, how they are listed, called and answer. */
@NullMarked
package gatebook.api.flow.executor;

import org.jspecify.annotations.NullMarked;
