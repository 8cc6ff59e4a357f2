package gatebook.query.errors;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A denial in a list, or an error: one error response, or a count of refused messages of one kind.
 *
 * @param callId absent for a count
 * @param at RFC 3339, UTC; when it was recorded
 * @param times how many error responses these are: one, except for a count
 * @param fingerprint that of its group; like {@code fault}, present for errors
 * @param dialect absent for a denial until the caller is told
 * @param code a number, or {@code "other"} for all codes that no vocabulary of the dialect defines;
 *     absent for a count, and for a denial until the caller is told
 * @param principal present for denials, like {@code reason}
 * @param bothVerdicts present for what is observed, as long as its event is there
 */
public record ListedError(
    @Nullable UUID callId,
    String at,
    long times,
    @Nullable String fingerprint,
    @Nullable String dialect,
    @Nullable Object code,
    @Nullable String fault,
    @Nullable String gate,
    @Nullable String target,
    @Nullable String agent,
    @Nullable String skill,
    @Nullable String principal,
    @Nullable String reason,
    @Nullable BothVerdicts bothVerdicts) {}
