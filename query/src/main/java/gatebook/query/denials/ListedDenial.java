package gatebook.query.denials;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One denial.
 *
 * @param at RFC 3339, UTC; when it was recorded
 * @param dialect absent together with {@code code} until the caller is told
 */
public record ListedDenial(
    UUID callId,
    String at,
    String gate,
    @Nullable String tool,
    String principal,
    String reason,
    @Nullable String dialect,
    @Nullable Integer code) {}
