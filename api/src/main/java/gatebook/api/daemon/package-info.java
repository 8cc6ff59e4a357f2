/** Plain JSON-RPC, as editors and daemons speak it, as far as it is served. */
@NullMarked
package gatebook.api.daemon;

import org.jspecify.annotations.NullMarked;
