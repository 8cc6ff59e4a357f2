/** The operators' JSON-RPC methods, their authorization and recording, and the event tail. */
@NullMarked
package gatebook.api.operator;

import org.jspecify.annotations.NullMarked;
