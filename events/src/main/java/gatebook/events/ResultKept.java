package gatebook.events;

import gatebook.events.call.SealedContent;
import java.util.UUID;

/**
 * The result of a task is kept for the caller until it is fetched. A long one is kept in {@code
 * parts}, of which this is number {@code part}, from 1.
 */
@Named(name = "ResultKept", version = "1")
public record ResultKept(UUID callId, String taskId, int part, int parts, SealedContent text)
    implements TaskEvent {}
