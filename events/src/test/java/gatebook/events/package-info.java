@NullMarked
package gatebook.events;

import org.jspecify.annotations.NullMarked;
