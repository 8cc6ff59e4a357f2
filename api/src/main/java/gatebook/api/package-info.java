/** The entry point of the command line, and the training of the JVM's class caches. */
@NullMarked
package gatebook.api;

import org.jspecify.annotations.NullMarked;
