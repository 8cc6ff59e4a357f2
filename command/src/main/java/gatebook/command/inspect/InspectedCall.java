package gatebook.command.inspect;

import gatebook.events.call.JsonValue;
import gatebook.events.call.Principal;
import org.jspecify.annotations.Nullable;

/**
 * What inspectors see of a call.
 *
 * @param arguments as they would be forwarded; absent where there are none
 */
public record InspectedCall(
    Principal principal,
    String source,
    String method,
    String target,
    @Nullable JsonValue arguments) {}
