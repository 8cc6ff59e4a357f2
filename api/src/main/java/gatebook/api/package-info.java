@NullMarked
package gatebook.api;

import org.jspecify.annotations.NullMarked;
