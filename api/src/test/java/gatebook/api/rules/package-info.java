@NullMarked
package gatebook.api.rules;

import org.jspecify.annotations.NullMarked;
