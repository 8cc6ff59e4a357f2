package gatebook.api.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The browser of the person at this terminal: {@code $BROWSER}, else the desktop's own, if there is
 * a desktop.
 */
final class Browser {
  /** A program that still runs then has opened the page, or is the browser. */
  private static final long FAILS_WITHIN_MILLIS = 2_000;

  private static final String LINK = "%s";

  private final Map<String, String> environment;
  private final boolean isMac;

  Browser(Map<String, String> environment) {
    this(environment, System.getProperty("os.name"));
  }

  Browser(Map<String, String> environment, String system) {
    this.environment = environment;
    this.isMac = system.toLowerCase(Locale.ROOT).startsWith("mac");
  }

  /** Opens a link; returns whether a program took it. */
  boolean open(String link) throws InterruptedException {
    for (List<String> command : commands(link)) {
      if (hasStarted(command)) {
        return true;
      }
    }
    return false;
  }

  private List<List<String>> commands(String link) {
    List<List<String>> commands = new ArrayList<>();
    String chosen = environment.getOrDefault("BROWSER", "");
    if (!chosen.isBlank()) {
      commands.add(withLink(chosen.strip(), link));
    }
    if (isMac) {
      commands.add(List.of("open", link));
    } else if (environment.containsKey("DISPLAY") || environment.containsKey("WAYLAND_DISPLAY")) {
      commands.add(List.of("xdg-open", link));
    }
    return commands;
  }

  /** The words of a command, in which the link has its place or comes last. */
  private static List<String> withLink(String command, String link) {
    List<String> words = List.of(command.split("\\s+", -1));
    return command.contains(LINK)
        ? words.stream().map(word -> word.replace(LINK, link)).toList()
        : Stream.concat(words.stream(), Stream.of(link)).toList();
  }

  private static boolean hasStarted(List<String> command) throws InterruptedException {
    try {
      Process program =
          new ProcessBuilder(command)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      return !program.waitFor(FAILS_WITHIN_MILLIS, TimeUnit.MILLISECONDS)
          || program.exitValue() == 0;
    } catch (IOException _) {
      return false; // there is no such program
    }
  }
}
