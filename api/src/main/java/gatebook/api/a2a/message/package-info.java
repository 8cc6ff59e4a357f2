/**
 * Messages of A2A in the shapes of each version: requests, tasks, items of streams, and the
 * exchange that carries them.
 */
@NullMarked
package gatebook.api.a2a.message;

import org.jspecify.annotations.NullMarked;
