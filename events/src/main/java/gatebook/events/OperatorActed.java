package gatebook.events;

import gatebook.events.call.Erasable;
import gatebook.events.call.JsonValue;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An operator called one of the operators' methods, or, unless {@code allowed}, was refused it.
 * {@code callId} is the call acted on, if any.
 */
@Named(name = "OperatorActed", version = "1")
public record OperatorActed(
    String operator,
    String method,
    @Erasable @Nullable JsonValue params,
    @Nullable UUID callId,
    boolean allowed)
    implements Event {}
