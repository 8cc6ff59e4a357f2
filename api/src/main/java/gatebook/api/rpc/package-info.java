/** JSON-RPC messages: bytes to values, values to bytes. */
@NullMarked
package gatebook.api.rpc;

import org.jspecify.annotations.NullMarked;
