/**
 * {@code gatebook replay}, {@code projections} and {@code parked}: what happened once, once more,
 * for a call or for a view.
 */
@NullMarked
package gatebook.api.replay;

import org.jspecify.annotations.NullMarked;
