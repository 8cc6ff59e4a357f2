@NullMarked
package gatebook.command;

import org.jspecify.annotations.NullMarked;
