/** Verifies the tokens of OpenID Connect issuers, whose keys it keeps. */
@NullMarked
package gatebook.api.signon;

import org.jspecify.annotations.NullMarked;
