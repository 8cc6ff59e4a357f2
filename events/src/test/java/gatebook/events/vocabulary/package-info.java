@NullMarked
package gatebook.events.vocabulary;

import org.jspecify.annotations.NullMarked;
