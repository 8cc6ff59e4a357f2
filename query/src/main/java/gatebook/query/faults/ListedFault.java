package gatebook.query.faults;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A fault in a list: one error response, or a count of refused messages of one kind.
 *
 * @param callId absent for a count
 * @param at RFC 3339, UTC; when it was recorded
 * @param times how many error responses these are: one, except for a count
 * @param fingerprint that of its group
 * @param code a number, or {@code "other"} for all codes that no vocabulary of the dialect defines;
 *     absent for a count
 */
public record ListedFault(
    @Nullable UUID callId,
    String at,
    long times,
    String fingerprint,
    String dialect,
    @Nullable JsonNode code,
    String fault,
    @Nullable String gate,
    @Nullable String target,
    @Nullable String agent,
    @Nullable String skill) {}
