package gatebook.events;

import gatebook.events.call.KeptContent;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A source asks the caller something before it answers: the call waits for both. {@code question}
 * is the id by which the caller knows it. What belongs to no call is told with the call that began
 * the conversation.
 */
@Named(name = "SourceAsked", version = "1")
public record SourceAsked(
    UUID callId, String source, String question, String method, @Nullable KeptContent params)
    implements CallEvent {}
