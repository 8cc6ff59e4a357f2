/** The commands that redecide a call and rebuild views. */
@NullMarked
package gatebook.api.cli.replay;

import org.jspecify.annotations.NullMarked;
