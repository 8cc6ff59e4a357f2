/** What has happened to one call so far, for those who decide what happens to it next. */
@NullMarked
package gatebook.command.course;

import org.jspecify.annotations.NullMarked;
