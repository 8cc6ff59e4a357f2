package gatebook.command.gate;

import gatebook.events.call.Principal;
import gatebook.events.call.TextPrefix;
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
public record GateInput(
    Principal principal,
    String method,
    String target,
    On on,
    @Nullable String arguments,
    Instant at,
    List<String> others) {

  /** No column, label or line holds a longer one. */
  private static final int NAME_CHARS_MAX = 1_024;

  public GateInput {
    others = List.copyOf(others);
  }

  /** What acts on one target. */
  public GateInput(
      Principal principal,
      String method,
      String target,
      On on,
      @Nullable String arguments,
      Instant at) {
    this(principal, method, target, on, arguments, at, List.of());
  }

  /** The same for each target on its own, in their order. */
  public List<GateInput> each() {
    List<GateInput> each = new ArrayList<>();
    each.add(on(target));
    others.forEach(other -> each.add(on(other)));
    return each;
  }

  private GateInput on(String one) {
    return new GateInput(principal, method, one, on, arguments, at);
  }

  /** What it acts on, in short: the targets, as far as there is room. */
  public String targets() {
    return targets(target, others);
  }

  /** The same of these. */
  public static String targets(String target, List<String> others) {
    String all = others.isEmpty() ? target : target + " " + String.join(" ", others);
    return TextPrefix.of(all, NAME_CHARS_MAX);
  }

  /** The same at another time. */
  public GateInput at(Instant then) {
    return new GateInput(principal, method, target, on, arguments, then, others);
  }

  /** What a call acts on. */
  public enum On {
    /** A tool, with arguments that policies see. */
    TOOL(SourceFamily.TOOLS, null),
    RESOURCE(SourceFamily.TOOLS, Content.RESOURCE),
    PROMPT(SourceFamily.TOOLS, Content.PROMPT),
    /** A method of a JSON-RPC source, with arguments that policies see. */
    METHOD(SourceFamily.METHODS, null);

    private final SourceFamily sourceFamily;
    private final @Nullable Content content;

    On(SourceFamily sourceFamily, @Nullable Content content) {
      this.sourceFamily = sourceFamily;
      this.content = content;
    }

    /** What a denial says it is; absent for a tool and a method. */
    public @Nullable Content content() {
      return content;
    }

    /** Whose names these are. */
    public SourceFamily family() {
      return sourceFamily;
    }
  }
}
