/** The operators' JSON-RPC methods and the event tail. */
@NullMarked
package gatebook.api.operator;

import org.jspecify.annotations.NullMarked;
