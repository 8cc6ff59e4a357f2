package gatebook.api.cli;

import java.util.Map;

/** Colours for words that say how things went; none where nobody would see them. */
public final class Colours {

  public static final Colours NONE = new Colours(false);

  private static final String END = "\u001b[0m";

  private final boolean on;

  private Colours(boolean on) {
    this.on = on;
  }

  /** For what this process prints. */
  public static Colours here() {
    return of(Terminal.STDOUT.isThere(), System.getenv());
  }

  /** Coloured on a terminal that can, unless the environment asks for none. */
  static Colours of(boolean terminal, Map<String, String> environment) {
    boolean unwanted = !environment.getOrDefault("NO_COLOR", "").isEmpty();
    boolean cannot = environment.getOrDefault("TERM", "").equals("dumb");
    return new Colours(terminal && !unwanted && !cannot);
  }

  /** A status, verdict, state or trend in the colour of what it means. */
  public String word(String word) {
    return switch (word) {
      case "answered", "success", "pass", "forward", "up-to-date", "falling" -> good(word);
      case "failed", "denied", "deny", "refused", "tool-error", "failing", "stopped", "rising" ->
          bad(word);
      case "held", "ask", "forwarded", "abandoned", "orphaned", "catching-up", "making", "new" ->
          open(word);
      default -> word;
    };
  }

  public String good(String text) {
    return painted("32", text);
  }

  public String bad(String text) {
    return painted("31", text);
  }

  public String open(String text) {
    return painted("33", text);
  }

  private String painted(String colour, String text) {
    return on && !text.isEmpty() ? "\u001b[" + colour + "m" + text + END : text;
  }
}
