@NullMarked
package gatebook.query;

import org.jspecify.annotations.NullMarked;
