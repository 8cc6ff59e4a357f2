/**
 * Faults in the callers' words: one vocabulary per dialect, each one exhaustive switch over all
 * faults.
 */
@NullMarked
package gatebook.api.dialect;

import org.jspecify.annotations.NullMarked;
