package gatebook.events.call;

import org.jspecify.annotations.Nullable;

/**
 * What a caller was told instead of a result, word for word; {@code httpStatus} is absent where
 * there is no HTTP.
 */
public record ErrorResponse(
    Dialect dialect,
    int code,
    String message,
    @Nullable JsonValue data,
    @Nullable Integer httpStatus) {}
