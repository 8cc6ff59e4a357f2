package gatebook.api.cli.replay;

import gatebook.api.cli.Terminal;
import java.io.PrintWriter;
import java.time.Duration;

/** Where progress is told: in place on a terminal, else a line every few seconds. */
record ProgressOutput(PrintWriter to, boolean inPlace, Duration pause) {

  private static final String BEGINNING_OF_LINE = "\r";
  private static final String ERASED_TO_ITS_END = "\u001b[K";
  private static final Duration ON_A_TERMINAL = Duration.ofSeconds(1);
  private static final Duration IN_A_FILE = Duration.ofSeconds(5);

  static ProgressOutput here(PrintWriter to) {
    return Terminal.STDERR.isThere()
        ? new ProgressOutput(to, true, ON_A_TERMINAL)
        : new ProgressOutput(to, false, IN_A_FILE);
  }

  void tell(String line) {
    if (inPlace) {
      to.print(BEGINNING_OF_LINE + line + ERASED_TO_ITS_END);
      to.flush();
    } else {
      to.println(line);
    }
  }

  /** What is said next begins on a line of its own. */
  void end() {
    if (inPlace) {
      to.println();
    }
  }
}
