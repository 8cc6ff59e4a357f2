/** Clients of the operators' methods and of the event tail. */
@NullMarked
package gatebook.api.operator.client;

import org.jspecify.annotations.NullMarked;
