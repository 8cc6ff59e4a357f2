@NullMarked
package gatebook.api.upstream.agent;

import org.jspecify.annotations.NullMarked;
