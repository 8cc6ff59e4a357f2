/** Programs that answer on their standard streams: start, protocol and restart. */
@NullMarked
package gatebook.api.upstream.process;

import org.jspecify.annotations.NullMarked;
