package gatebook.command.inspect;

import gatebook.events.call.Json;
import gatebook.events.call.Principal;
import org.jspecify.annotations.Nullable;

/**
 * What inspectors see of a call.
 *
 * @param arguments as they would be forwarded; absent where there are none
 */
public record Inspected(
    Principal principal, String source, String method, String target, @Nullable Json arguments) {}
