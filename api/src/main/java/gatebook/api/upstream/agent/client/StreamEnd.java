package gatebook.api.upstream.agent.client;

import gatebook.api.dialect.A2aTaskState;
import org.jspecify.annotations.Nullable;

/**
 * The regular end of a stream.
 *
 * @param items how many there were
 * @param state the last one of the task; absent when no item had one
 */
public record StreamEnd(long items, @Nullable A2aTaskState state) {}
