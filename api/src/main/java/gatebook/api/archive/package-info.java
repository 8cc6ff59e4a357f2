/** Archives by their address, and those in buckets of S3. */
@NullMarked
package gatebook.api.archive;

import org.jspecify.annotations.NullMarked;
