package gatebook.events.call;

import org.jspecify.annotations.Nullable;

/**
 * The error response that a caller got instead of a result, word for word; {@code httpStatus} is
 * absent where there is no HTTP.
 */
public record ErrorResponse(
    Dialect dialect,
    int code,
    @Erasable String message,
    @Erasable @Nullable JsonValue data,
    @Nullable Integer httpStatus) {}
