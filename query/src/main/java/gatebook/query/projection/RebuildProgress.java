package gatebook.query.projection;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a rebuild, which runs beside the view in use.
 *
 * @param from the position up to which the view's content was copied
 * @param position everything up to this position is in the rebuilt view
 * @param target the head of the journal
 * @param startedAt RFC 3339, UTC
 * @param eventsPerSecond the average since the start
 * @param secondsLeft at this rate; absent while the rate is zero
 * @param failure the error of the newest batch, which is retried; absent when it succeeded
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RebuildProgress(
    long from,
    long position,
    long target,
    String startedAt,
    long eventsPerSecond,
    @Nullable Long secondsLeft,
    @Nullable String failure) {}
