/** Reports errors: counts each one and logs one line about it. */
@NullMarked
package gatebook.api.gateway.report;

import org.jspecify.annotations.NullMarked;
