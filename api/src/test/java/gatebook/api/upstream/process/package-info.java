@NullMarked
package gatebook.api.upstream.process;

import org.jspecify.annotations.NullMarked;
