/** The protocol between agents, as far as it is served. */
@NullMarked
package gatebook.api.a2a;

import org.jspecify.annotations.NullMarked;
