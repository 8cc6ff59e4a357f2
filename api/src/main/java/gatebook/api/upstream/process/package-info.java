/**
 * Programs that are started here and asked on their standard streams: one message a line, ids of
 * our own, and what came of each question.
 */
@NullMarked
package gatebook.api.upstream.process;

import org.jspecify.annotations.NullMarked;
