package gatebook.command.call;

import gatebook.events.call.Dialect;
import org.jspecify.annotations.Nullable;

/**
 * The dialect that a caller speaks, and its version.
 *
 * @param version the version of the dialect that the caller declares, absent when it declares none
 */
public record DialectVersion(Dialect dialect, @Nullable String version) {}
