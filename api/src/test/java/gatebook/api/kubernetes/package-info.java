/** The manifests for Kubernetes, and a node that runs as they say. */
@NullMarked
package gatebook.api.kubernetes;

import org.jspecify.annotations.NullMarked;
