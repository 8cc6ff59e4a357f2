/** The daemon's dialect: plain JSON-RPC, whose methods are those of the sources. */
@NullMarked
package gatebook.api.daemon;

import org.jspecify.annotations.NullMarked;
