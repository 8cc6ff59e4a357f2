/** The erasure of content: what an operator forgets, what is older than it is kept, legal holds. */
@NullMarked
package gatebook.api.erasure;

import org.jspecify.annotations.NullMarked;
