@NullMarked
package gatebook.events.kept;

import org.jspecify.annotations.NullMarked;
