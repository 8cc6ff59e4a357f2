@NullMarked
package gatebook.api.data;

import org.jspecify.annotations.NullMarked;
