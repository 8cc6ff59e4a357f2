@NullMarked
package gatebook.api.http.tls;

import org.jspecify.annotations.NullMarked;
