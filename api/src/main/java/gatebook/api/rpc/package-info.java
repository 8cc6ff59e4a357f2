/** JSON-RPC 2.0 as bytes: messages in, answers out. It knows neither methods nor codes. */
@NullMarked
package gatebook.api.rpc;

import org.jspecify.annotations.NullMarked;
