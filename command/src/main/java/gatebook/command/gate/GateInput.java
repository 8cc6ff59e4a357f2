package gatebook.command.gate;

import gatebook.events.call.Principal;
import gatebook.events.call.TextPrefix;
import gatebook.events.fault.Denied.Content;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The input of the gates: all that they know of a call. Everything in it is recorded.
 *
 * @param target as the caller names it
 * @param arguments the text of a JSON object; absent where there are none
 * @param at when the gates are asked
 * @param others targets after the first; the gates are asked about each, one after the other
 */
public record GateInput(
    Principal principal,
    String method,
    String target,
    TargetKind targetKind,
    @Nullable String arguments,
    Instant at,
    List<String> others) {

  /** No column, label or line holds a longer name. */
  private static final int NAME_CHARS_MAX = 1_024;

  public GateInput {
    others = List.copyOf(others);
  }

  /** With one target. */
  public GateInput(
      Principal principal,
      String method,
      String target,
      TargetKind targetKind,
      @Nullable String arguments,
      Instant at) {
    this(principal, method, target, targetKind, arguments, at, List.of());
  }

  /** One input for each target, in their order. */
  public List<GateInput> perTarget() {
    if (others.isEmpty()) {
      return List.of(this);
    }
    List<GateInput> each = new ArrayList<>();
    each.add(withTarget(target));
    others.forEach(other -> each.add(withTarget(other)));
    return each;
  }

  private GateInput withTarget(String one) {
    return new GateInput(principal, method, one, targetKind, arguments, at);
  }

  /** The targets in one line, cut to the length that is stored. */
  public String targetSummary() {
    return targetSummary(target, others);
  }

  /** The given targets in one line, cut to the length that is stored. */
  public static String targetSummary(String target, List<String> others) {
    String all = others.isEmpty() ? target : target + " " + String.join(" ", others);
    return TextPrefix.of(all, NAME_CHARS_MAX);
  }

  /** The same input with the roles and attributes that other rules give its principal. */
  public GateInput with(Principal other) {
    return new GateInput(other, method, target, targetKind, arguments, at, others);
  }

  /** The same input at another time. */
  public GateInput withTime(Instant then) {
    return new GateInput(principal, method, target, targetKind, arguments, then, others);
  }

  /** What kind of target a call acts on. */
  public enum TargetKind {
    /** A tool, with arguments that policies see. */
    TOOL(SourceFamily.TOOLS, null),
    RESOURCE(SourceFamily.TOOLS, Content.RESOURCE),
    PROMPT(SourceFamily.TOOLS, Content.PROMPT),
    /** A method of a JSON-RPC source, with arguments that policies see. */
    METHOD(SourceFamily.METHODS, null),
    /** A method or a skill of an agent, with arguments that policies see. */
    AGENT(SourceFamily.AGENTS, null);

    private final SourceFamily sourceFamily;
    private final @Nullable Content content;

    TargetKind(SourceFamily sourceFamily, @Nullable Content content) {
      this.sourceFamily = sourceFamily;
      this.content = content;
    }

    /** The kind that a denial names; absent for a tool, a method and an agent. */
    public @Nullable Content content() {
      return content;
    }

    /** The sources that have such targets. */
    public SourceFamily family() {
      return sourceFamily;
    }
  }
}
