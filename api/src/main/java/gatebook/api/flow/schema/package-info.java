/**
 * JSON Schemas of tasks and tools: reads, compiles and remembers them, and checks inputs with them
 * in bounded time.
 */
@NullMarked
package gatebook.api.flow.schema;

import org.jspecify.annotations.NullMarked;
