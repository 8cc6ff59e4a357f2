/** Timestamps of an authority (RFC 3161): how one is asked for, and how one is checked. */
@NullMarked
package gatebook.api.timestamp;

import org.jspecify.annotations.NullMarked;
