/** The memory that messages in flight may take, over all ports, dialects and sources. */
@NullMarked
package gatebook.api.memory;

import org.jspecify.annotations.NullMarked;
