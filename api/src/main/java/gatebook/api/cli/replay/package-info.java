/** The commands that decide a call again and rebuild views. */
@NullMarked
package gatebook.api.cli.replay;

import org.jspecify.annotations.NullMarked;
