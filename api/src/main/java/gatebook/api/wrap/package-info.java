/** Wraps one MCP server on standard input and output: its client reaches it through the gates. */
@NullMarked
package gatebook.api.wrap;

import org.jspecify.annotations.NullMarked;
