package gatebook.command.inspect;

import gatebook.events.call.JsonValue;
import gatebook.events.call.Principal;
import org.jspecify.annotations.Nullable;

/**
 * A call as inspectors see it: the inspected parts.
 *
 * @param arguments as they would be forwarded; absent where there are none
 */
public record InspectedCall(
    Principal principal,
    String source,
    String method,
    String target,
    @Nullable JsonValue arguments) {}
