/** Redecides recorded calls: by the rules that decided them, and by those in force. */
@NullMarked
package gatebook.api.operator.redecide;

import org.jspecify.annotations.NullMarked;
