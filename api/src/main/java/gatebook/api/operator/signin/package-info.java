/** Signs operators in: by a token, or by a link and the cookie of a session. */
@NullMarked
package gatebook.api.operator.signin;

import org.jspecify.annotations.NullMarked;
