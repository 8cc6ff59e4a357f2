@NullMarked
package gatebook.api.settings;

import org.jspecify.annotations.NullMarked;
