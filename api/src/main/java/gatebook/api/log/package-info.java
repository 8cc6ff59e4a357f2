@NullMarked
package gatebook.api.log;

import org.jspecify.annotations.NullMarked;
