/** One MCP server behind the gates, on standard input and output. */
@NullMarked
package gatebook.api.wrap;

import org.jspecify.annotations.NullMarked;
