/** The Agent2Agent protocol: its endpoints, methods and cards. */
@NullMarked
package gatebook.api.a2a;

import org.jspecify.annotations.NullMarked;
