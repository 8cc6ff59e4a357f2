package gatebook.command.call;

import gatebook.events.call.Dialect;
import org.jspecify.annotations.Nullable;

/**
 * What a caller speaks.
 *
 * @param version the version of the dialect that the caller says it speaks, absent when it says
 *     none
 */
public record DialectVersion(Dialect dialect, @Nullable String version) {}
