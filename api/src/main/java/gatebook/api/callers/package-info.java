/** Where callers knock over HTTP: one path a dialect, one way in for all. */
@NullMarked
package gatebook.api.callers;

import org.jspecify.annotations.NullMarked;
