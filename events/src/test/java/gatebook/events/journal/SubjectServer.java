package gatebook.events.journal;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.time.Duration;

/**
 * A child process that measures one subject: it reads commands from stdin line by line, and writes
 * only samples to stdout.
 *
 * <p>It runs on the class path of Axon 4 too, so it names no type of the journal or of Axon.
 */
public final class SubjectServer {
  private SubjectServer() {}

  /**
   * Creates the subject, after standard output was redirected for everything that may print there.
   */
  public interface Maker {
    AppendSubject make() throws Exception;
  }

  /** Measures until stdin ends. */
  public static void serve(Maker maker) throws Exception {
    PrintStream samples = System.out;
    System.setOut(System.err);
    try (AppendSubject subject = maker.make();
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
      for (String command = commands.readLine(); command != null; command = commands.readLine()) {
        samples.println(measure(subject, command.split(" ", -1)).line());
        samples.flush();
      }
    }
  }

  private static AppendSample measure(AppendSubject subject, String[] command) throws Exception {
    long millis = Long.parseLong(command[2]);
    Duration cpuBefore = cpu();
    AppendSample sample =
        subject.measure(Integer.parseInt(command[0]), Double.parseDouble(command[1]), millis);
    double cpuMicros = cpu().minus(cpuBefore).toNanos() / 1e3;
    return sample.withCpuMicros(cpuMicros / (sample.perSecond() * millis / 1e3));
  }

  private static Duration cpu() {
    return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
  }
}
