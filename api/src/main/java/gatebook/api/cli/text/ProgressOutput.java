package gatebook.api.cli.text;

import gatebook.api.log.Terminal;
import java.io.PrintWriter;
import java.time.Duration;

/** Prints progress: in place on a terminal, otherwise as a line every few seconds. */
public record ProgressOutput(PrintWriter to, boolean inPlace, Duration pause) {

  private static final String BEGINNING_OF_LINE = "\r";
  private static final String ERASED_TO_ITS_END = "\u001b[K";
  private static final Duration ON_A_TERMINAL = Duration.ofSeconds(1);
  private static final Duration IN_A_FILE = Duration.ofSeconds(5);

  public static ProgressOutput onStderr(PrintWriter to) {
    return Terminal.STDERR.isTerminal()
        ? new ProgressOutput(to, true, ON_A_TERMINAL)
        : new ProgressOutput(to, false, IN_A_FILE);
  }

  public void show(String line) {
    if (inPlace) {
      to.print(BEGINNING_OF_LINE + line + ERASED_TO_ITS_END);
      to.flush();
    } else {
      to.println(line);
    }
  }

  /** Ends the line, so that the next output starts on a new one. */
  public void endLine() {
    if (inPlace) {
      to.println();
    }
  }
}
