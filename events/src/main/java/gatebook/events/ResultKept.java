package gatebook.events;

import gatebook.events.call.Erasable;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The result of a task is kept for the caller until it is fetched. A long one is kept in {@code
 * parts}, of which this is number {@code part}, from 1. The text is absent only when it cannot be
 * read.
 */
@Named(name = "ResultKept", version = "2")
public record ResultKept(
    UUID callId,
    String taskId,
    int part,
    int parts,
    @Erasable(isOriginal = true) @Nullable String text)
    implements TaskEvent {}
