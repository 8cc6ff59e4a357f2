package gatebook.events;

import gatebook.events.call.KeptContent;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A source asked the caller a question before it answers the call, which waits for the reply.
 * {@code question} is the question's id for the caller. A question that belongs to no call is
 * recorded with the call that opened the session.
 */
@Named(name = "SourceAsked", version = "1")
public record SourceAsked(
    UUID callId, String source, String question, String method, @Nullable KeptContent params)
    implements CallEvent {}
