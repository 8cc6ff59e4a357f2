/** The methods for operators, each with its params and its result. */
@NullMarked
package gatebook.api.operator.methods;

import org.jspecify.annotations.NullMarked;
