@NullMarked
package gatebook.api.serve;

import org.jspecify.annotations.NullMarked;
