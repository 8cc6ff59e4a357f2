@NullMarked
package gatebook.api.http;

import org.jspecify.annotations.NullMarked;
