/** Tests of nodes whose callers and operators sign on with the tokens of issuers. */
@NullMarked
package gatebook.api.node.signon;

import org.jspecify.annotations.NullMarked;
