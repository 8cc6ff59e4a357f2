@NullMarked
package gatebook.events.call;

import org.jspecify.annotations.NullMarked;
