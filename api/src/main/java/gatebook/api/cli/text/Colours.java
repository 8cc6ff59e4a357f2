package gatebook.api.cli.text;

import gatebook.api.log.Terminal;
import java.util.Map;

/** Colours for statuses and verdicts; none where the output is not a terminal. */
public final class Colours {

  public static final Colours NONE = new Colours(false);

  private static final String END = "\u001b[0m";

  private final boolean on;

  private Colours(boolean on) {
    this.on = on;
  }

  /** The colours for standard output. */
  public static Colours forStdout() {
    return of(Terminal.STDOUT.isTerminal(), System.getenv());
  }

  /** Colours are used on a terminal that supports them, unless the environment disables them. */
  static Colours of(boolean terminal, Map<String, String> environment) {
    boolean unwanted = !environment.getOrDefault("NO_COLOR", "").isEmpty();
    boolean cannot = environment.getOrDefault("TERM", "").equals("dumb");
    return new Colours(terminal && !unwanted && !cannot);
  }

  /** A status, verdict, state or trend in the colour of its meaning. */
  public String word(String word) {
    return switch (word) {
      case "answered", "completed", "success", "pass", "forward", "up-to-date", "falling" ->
          good(word);
      case "failed", "denied", "deny", "refused", "tool-error", "failing", "stopped", "rising" ->
          bad(word);
      case "held",
          "ask",
          "forwarded",
          "in_progress",
          "cancelled",
          "abandoned",
          "orphaned",
          "catching-up",
          "making",
          "new" ->
          open(word);
      default -> word;
    };
  }

  public String good(String text) {
    return paint("32", text);
  }

  public String bad(String text) {
    return paint("31", text);
  }

  public String open(String text) {
    return paint("33", text);
  }

  private String paint(String colour, String text) {
    return on && !text.isEmpty() ? "\u001b[" + colour + "m" + text + END : text;
  }
}
