package gatebook.events.call;

import org.jspecify.annotations.Nullable;

/**
 * The summary of a stream that a source answered with.
 *
 * @param items how many there were, the last one included
 * @param state the last one that the task was in, in the words of version 0.3; absent when no item
 *     had one
 */
public record StreamSummary(long items, @Nullable String state) {}
