package gatebook.query.projection;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * How far the making of a view beside the one that answers has come.
 *
 * @param from what the view held up to here was taken over
 * @param position what is in it up to now
 * @param target where the journal ends
 * @param startedAt RFC 3339, UTC
 * @param eventsPerSecond since it was started
 * @param secondsLeft at this rate; absent while there is none
 * @param failure why it does not go on, though it is tried again; absent while it does
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
