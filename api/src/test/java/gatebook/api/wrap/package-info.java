@NullMarked
package gatebook.api.wrap;

import org.jspecify.annotations.NullMarked;
