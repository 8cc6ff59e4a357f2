package gatebook.events;

import gatebook.events.call.SealedContent;
import java.util.UUID;

/**
 * The result of a task, kept for the caller until he comes for it. A long one is kept in {@code
 * parts}, of which this is the {@code part}th, from 1.
 */
@Named(name = "ResultKept", version = "1")
public record ResultKept(UUID callId, String taskId, int part, int parts, SealedContent text)
    implements TaskEvent {}
