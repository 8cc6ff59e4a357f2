/**
 * Declares methods for operators: their params and roles, who may see what, and what is recorded of
 * a request.
 */
@NullMarked
package gatebook.api.operator.rpc;

import org.jspecify.annotations.NullMarked;
