package gatebook.command.gate;

import gatebook.events.call.Principal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * All that gates know of a call; everything in it is recorded.
 *
 * @param target as the caller names it
 * @param arguments the text of a JSON object; absent where there are none
 * @param at when the gates are asked
 */
public record Asked(
    Principal principal,
    String method,
    String target,
    On on,
    @Nullable String arguments,
    Instant at) {

  /** What a call acts on. */
  public enum On {
    /** A tool, with arguments that policies see. */
    TOOL(Family.TOOLS),
    /** What else MCP governs: a resource or a prompt. */
    CONTENT(Family.TOOLS),
    /** A method of a JSON-RPC source, with arguments that policies see. */
    METHOD(Family.METHODS);

    private final Family family;

    On(Family family) {
      this.family = family;
    }

    /** Whose names these are. */
    public Family family() {
      return family;
    }
  }
}
