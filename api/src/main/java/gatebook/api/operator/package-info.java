/** What operators ask a running node, by JSON-RPC at the admin port. */
@NullMarked
package gatebook.api.operator;

import org.jspecify.annotations.NullMarked;
