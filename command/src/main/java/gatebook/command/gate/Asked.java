package gatebook.command.gate;

import gatebook.events.call.Beginning;
import gatebook.events.call.Principal;
import gatebook.events.fault.Denied.Content;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that gates know of a call; everything in it is recorded.
 *
 * @param target as the caller names it
 * @param arguments the text of a JSON object; absent where there are none
 * @param at when the gates are asked
 * @param others targets besides the first; the gates are asked about each, one after the other
 */
public record Asked(
    Principal principal,
    String method,
    String target,
    On on,
    @Nullable String arguments,
    Instant at,
    List<String> others) {

  /** No column, label or line holds a longer one. */
  private static final int NAME_CHARS_MAX = 1_024;

  public Asked {
    others = List.copyOf(others);
  }

  /** What acts on one target. */
  public Asked(
      Principal principal,
      String method,
      String target,
      On on,
      @Nullable String arguments,
      Instant at) {
    this(principal, method, target, on, arguments, at, List.of());
  }

  /** The same for each target on its own, in their order. */
  public List<Asked> each() {
    List<Asked> each = new ArrayList<>();
    each.add(on(target));
    others.forEach(other -> each.add(on(other)));
    return each;
  }

  private Asked on(String one) {
    return new Asked(principal, method, one, on, arguments, at);
  }

  /** What it acts on, in short: the targets, as far as there is room. */
  public String targets() {
    return targets(target, others);
  }

  /** The same of these. */
  public static String targets(String target, List<String> others) {
    String all = others.isEmpty() ? target : target + " " + String.join(" ", others);
    return Beginning.of(all, NAME_CHARS_MAX);
  }

  /** The same at another time. */
  public Asked at(Instant then) {
    return new Asked(principal, method, target, on, arguments, then, others);
  }

  /** What a call acts on. */
  public enum On {
    /** A tool, with arguments that policies see. */
    TOOL(Family.TOOLS, null),
    RESOURCE(Family.TOOLS, Content.RESOURCE),
    PROMPT(Family.TOOLS, Content.PROMPT),
    /** A method of a JSON-RPC source, with arguments that policies see. */
    METHOD(Family.METHODS, null);

    private final Family family;
    private final @Nullable Content content;

    On(Family family, @Nullable Content content) {
      this.family = family;
      this.content = content;
    }

    /** What a denial says it is; absent for a tool and a method. */
    public @Nullable Content content() {
      return content;
    }

    /** Whose names these are. */
    public Family family() {
      return family;
    }
  }
}
