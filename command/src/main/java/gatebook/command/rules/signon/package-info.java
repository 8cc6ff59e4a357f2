/** Who is known by the tokens of OpenID Connect issuers. */
@NullMarked
package gatebook.command.rules.signon;

import org.jspecify.annotations.NullMarked;
